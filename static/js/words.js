/* What scripts say, in the language of the page: its words are attributes of #words, see ui/words.html.

   say("found", { count: 3 }) is data-words-found with 3 for {count}; for a count of 1 it is
   data-words-found-one, where there is such. */
(() => {
  const written = (value) =>
    typeof value === "number" ? value.toLocaleString(document.documentElement.lang) : value;

  function say(name, values = {}) {
    const words = document.getElementById("words");
    const one = values.count === 1 ? words.getAttribute(`data-words-${name}-one`) : null;
    const text = one ?? words.getAttribute(`data-words-${name}`) ?? "";
    return text.replace(/\{(\w+)\}/g, (all, key) => (key in values ? written(values[key]) : all));
  }

  window.switchboard = Object.assign(window.switchboard ?? {}, { say });
})();
