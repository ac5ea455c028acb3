/* Tells the portal in which time zone this browser is, so that times are told in it. A page that was
   made in another one, before the portal knew, is loaded once more. */
(() => {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  const cookie = `zone=${encodeURIComponent(name)}`;
  const isKept = () => document.cookie.split("; ").includes(cookie);
  if (!name || isKept()) return;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure}`;
  const madeIn = document.documentElement.dataset.zone;
  if (madeIn && madeIn !== name && isKept()) location.reload();
})();
