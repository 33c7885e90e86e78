// Counts the selected papers beside the buttons that save them, which need at least one.
"use strict";
(() => {
  const form = document.getElementById("selected");
  if (!form) return;
  const boxes = [...document.querySelectorAll('input[form="selected"]')];
  const number = form.querySelector(".number-selected"), buttons = form.querySelectorAll("button");
  const details = form.closest("details");

  function count() {
    const selected = boxes.filter((box) => box.checked).length;
    number.textContent = selected ? `, ${selected} ticked below:` : ", ticked below:";
    for (const button of buttons) button.disabled = !selected;
    if (selected) details.open = true;
  }
  for (const box of boxes) box.addEventListener("change", count);
  // On the way back a browser keeps the ticks.
  window.addEventListener("pageshow", count);
})();
