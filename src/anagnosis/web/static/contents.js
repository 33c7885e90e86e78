// A paper's contents stand open beside its text, and are folded above it where the screen is narrow.
"use strict";
(() => {
  const contents = document.querySelector(".contents details");
  if (!contents) return;
  const wide = matchMedia("(min-width: 62rem)");
  const fold = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();
})();
