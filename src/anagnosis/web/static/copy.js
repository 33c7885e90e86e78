// Copies a citation with one press. The page works without this: the citation can be opened and selected.
"use strict";
(() => {
  const live = document.getElementById("live");
  for (const part of document.querySelectorAll(".citation")) {
    const [button, details] = [part.querySelector(".copy"), part.querySelector("details")];
    const field = details.querySelector("textarea"), label = button.textContent;
    button.hidden = false;
    details.hidden = true;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // Without a clipboard (outside https) the browser copies what is selected.
        details.hidden = false;
        details.open = true;
        field.select();
        if (!document.execCommand("copy")) {
          live.textContent = "The citation is selected; copy it with your keyboard.";
          return;
        }
        details.hidden = true;
        button.focus();
      }
      button.textContent = "Copied";
      live.textContent = "Copied to the clipboard";
      setTimeout(() => { button.textContent = label; live.textContent = ""; }, 2500);
    });
  }
})();
