// The page works without this: it copies citations, keeps addresses short and says that a search is under way.
"use strict";
(() => {
  for (const button of document.querySelectorAll(".citation .copy")) {
    const field = button.parentElement.querySelector("textarea");
    button.hidden = false;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // Browsers without a clipboard outside https still copy what is selected.
        document.execCommand("copy");
      }
      button.textContent = "Copied";
    });
  }
})();
(() => {
  const form = document.querySelector("form.ask");
  if (!form) return;
  const state = document.getElementById("state");
  const fields = () => form.querySelectorAll("input[name]:not([type=checkbox])");
  form.addEventListener("submit", () => {
    // An empty field is not sent, so that the address can be passed on as it is.
    for (const field of fields()) field.disabled = field.value.trim() === "";
    state.textContent = "Searching…";
  });
  // On the way back a browser shows the page as it was left.
  window.addEventListener("pageshow", () => {
    for (const field of fields()) field.disabled = false;
    state.textContent = "";
  });
})();
