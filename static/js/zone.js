/* Tells the portal in which time zone this browser is, so that times are told in it. */
(() => {
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone || "");
  const known = document.cookie.split("; ").find((each) => each.startsWith("zone="));
  if (!zone || known === `zone=${zone}`) return;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
})();
