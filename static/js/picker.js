/* Planning: who is picked stays, the rest of what was found goes. */
document.addEventListener("change", (event) => {
  const picker = event.target.matches("[type=radio]") && event.target.closest("[data-picker]");
  if (!picker) return;
  for (const pick of picker.querySelectorAll(".sb-pick input:not(:checked)")) pick.closest("li").remove();
  for (const list of picker.querySelectorAll(".sb-picks")) if (!list.children.length) list.remove();
  picker.querySelector("[type=search]").value = "";
});
