// Keeps addresses short and says that a search is under way.
"use strict";
(() => {
  const form = document.querySelector("form.ask");
  if (!form) return;
  const state = document.getElementById("state");
  const fields = () => form.querySelectorAll("input[name]:not([type=checkbox])");
  form.addEventListener("submit", () => {
    // An empty field is not sent, so that the address can be passed on as it is; an empty question lists all papers.
    for (const field of fields()) field.disabled = field.name !== "q" && field.value.trim() === "";
    state.textContent = "Searching…";
  });
  // On the way back a browser shows the page as it was left.
  window.addEventListener("pageshow", () => {
    for (const field of fields()) field.disabled = false;
    state.textContent = "";
  });
})();
