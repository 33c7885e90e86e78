// Where the question stands: above the passage in a narrow window, beside it and above the answer in a wide one. One node
// moves, so that the eye, the keyboard and a screen reader have the same order.
const wide = matchMedia("(min-width: 60rem)");
const arrange = () => {
  const focused = document.activeElement;
  for (const section of sections) {
    const read = section.querySelector(".read");
    if (!read) continue;
    const asked = section.querySelector(".asked");
    const toAnswer = section.querySelector(".to-answer");
    if (wide.matches) {
      section.querySelector("form").prepend(asked);
      section.querySelector(".sides").before(toAnswer);
    } else {
      read.prepend(asked);
      asked.querySelector(".query").after(toAnswer);
    }
  }
  if (document.activeElement !== focused) focused.focus({ preventScroll: true });
};
wide.addEventListener("change", arrange);

// What gets the focus comes to stand below the question, where that stays at the top of the window.
const MARGIN = 12; // pixels
const room = new ResizeObserver(() => {
  const asked = sections.find((section) => !section.hidden)?.querySelector(".asked");
  const stays = asked && getComputedStyle(asked).position === "sticky";
  document.documentElement.style.scrollPaddingTop = stays ? `${asked.offsetHeight + MARGIN}px` : "";
});
for (const section of sections) room.observe(section.querySelector(".asked"));
arrange();
