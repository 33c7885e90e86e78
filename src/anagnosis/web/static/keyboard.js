// Keys: / goes to the box, arrows or j and k walk through the results, ? shows them. A reader can switch them off.
"use strict";
(() => {
  const box = document.getElementById("q");
  const dialog = document.getElementById("keys");
  const KEPT = "anagnosis.keys";
  const remembered = (value) => {
    try {
      if (value !== undefined) localStorage.setItem(KEPT, value);
      return localStorage.getItem(KEPT);
    } catch {
      return null; // the browser keeps nothing: the keys are on
    }
  };
  let on = remembered() !== "off";

  if (dialog) {
    const button = document.getElementById("show-keys");
    const choice = dialog.querySelector("input");
    choice.checked = on;
    button.hidden = false;
    button.addEventListener("click", () => dialog.showModal());
    choice.addEventListener("change", () => {
      on = choice.checked;
      remembered(on ? "on" : "off");
    });
  }

  const results = () => [...document.querySelectorAll(".hits h3 a")];

  // Focus the next or previous result; Enter then follows its link.
  function walk(step) {
    const links = results();
    if (!links.length) return false;
    const article = document.activeElement.closest(".hits article");
    const at = article ? links.findIndex((link) => article.contains(link)) : step > 0 ? -1 : 0;
    const next = links[at + step];
    if (next) next.focus();
    else if (step < 0 && article && box) box.focus();
    return Boolean(next || (step < 0 && article));
  }

  const typing = (element) => element.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
  const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

  document.addEventListener("keydown", (event) => {
    if (!on || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
    const element = event.target, arrow = event.key.startsWith("Arrow");
    if (element === box ? event.key !== "ArrowDown" : typing(element)) return;
    // Elsewhere arrows scroll, as they do.
    if (arrow && element !== document.body && element !== box && !element.closest(".hits, main:focus")) return;
    if (event.key === "/" && box) {
      box.focus();
      box.select();
    } else if (event.key === "?" && dialog) dialog.showModal();
    else if (!(event.key in STEPS) || event.shiftKey || !walk(STEPS[event.key])) return;
    event.preventDefault();
  });
})();
