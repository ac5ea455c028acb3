/* <input type="file" data-preview="#id"> shows the chosen picture within #id before it is sent. */
(() => {
  document.addEventListener("change", (event) => {
    const input = event.target;
    const place = input.dataset?.preview && document.querySelector(input.dataset.preview);
    const file = input.files?.[0];
    if (!place || !file?.type.startsWith("image/")) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const picture = Object.assign(new Image(96, 96), { src: reader.result, alt: switchboard.say("picture") });
      picture.className = "avatar avatar-xl avatar-square";
      picture.addEventListener("load", () => place.replaceChildren(picture));
    });
    reader.readAsDataURL(file);
  });
})();
