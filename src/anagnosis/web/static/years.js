// A range of years is dragged over the bars; the fields below them do the same without this.
"use strict";
(() => {
  const form = document.querySelector("form.years");
  if (!form) return;
  const drawing = form.querySelector("svg"), bars = [...drawing.querySelectorAll(".bar")];
  const { since, until } = form.elements;
  const before = bars.map((bar) => bar.classList.contains("chosen"));
  let from = -1, to = -1;

  form.classList.add("draggable");
  // An empty field is not sent, so that the address can be passed on as it is.
  const fields = () => form.querySelectorAll("input[name]");
  form.addEventListener("submit", () => {
    for (const field of fields()) field.disabled = field.value.trim() === "";
  });
  window.addEventListener("pageshow", () => {
    for (const field of fields()) field.disabled = false;
  });

  // The bar below the pointer, or the nearest one.
  function at(event) {
    const { left, width } = drawing.getBoundingClientRect();
    const place = Math.floor((bars.length * (event.clientX - left)) / width);
    return Math.min(Math.max(place, 0), bars.length - 1);
  }

  function mark() {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    bars.forEach((bar, place) =>
      bar.classList.toggle("chosen", from < 0 ? before[place] : first <= place && place <= last));
    if (from < 0) return;
    since.value = bars[first].dataset.first;
    until.value = bars[last].dataset.last;
  }

  function cancel() {
    from = to = -1;
    since.value = since.defaultValue;
    until.value = until.defaultValue;
    mark();
  }

  drawing.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    drawing.setPointerCapture(event.pointerId);
    from = to = at(event);
    mark();
  });
  drawing.addEventListener("pointermove", (event) => {
    if (from < 0) return;
    to = at(event);
    mark();
  });
  drawing.addEventListener("pointerup", () => {
    if (from >= 0) form.requestSubmit();
  });
  drawing.addEventListener("pointercancel", cancel);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && from >= 0) cancel();
  });
})();
