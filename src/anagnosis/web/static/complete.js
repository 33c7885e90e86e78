// Completes what is typed into the box (ARIA's combobox): words, authors, journals. Typing never waits for it.
"use strict";
(() => {
  const box = document.getElementById("q");
  if (!box) return;
  const PAUSE = 120; // ms after the last key
  const EACH = 4; // of each kind
  // A word that is being typed; not a part of an identifier, a hyphenated name or a number.
  const WORD = /(?<=^|[\s"“(]-?)\p{L}[\p{L}\p{N}]*$/u;
  const FIELD = /\[[^\]]*$/; // a field that is being typed
  const list = document.createElement("ul");
  Object.assign(list, { id: "completions", className: "completions", role: "listbox", hidden: true });
  list.setAttribute("aria-label", "Completions");
  box.after(list);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");
  let timer = 0, request = null, chosen = -1, typed = "";

  const quoted = (name) => `"${name.replaceAll('"', " ")}"`;
  // What the box holds if an entry is chosen.
  const KINDS = [
    ["words", "", (text, name) => text.replace(WORD, name)],
    ["authors", "author", (_, name) => `${name}[au]`],
    ["journals", "journal", (_, name) => `${quoted(name)}[ta]`],
  ];

  function close() {
    clearTimeout(timer);
    request?.abort();
    request = null;
    list.hidden = true;
    list.replaceChildren();
    chosen = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function choose(entry) {
    box.value = entry.dataset.value;
    close();
  }

  function mark(at) {
    const entries = [...list.children];
    chosen = at;
    entries.forEach((entry, place) => entry.setAttribute("aria-selected", String(place === at)));
    if (at < 0) box.removeAttribute("aria-activedescendant");
    else {
      box.setAttribute("aria-activedescendant", entries[at].id);
      entries[at].scrollIntoView({ block: "nearest" });
    }
  }

  function show(found) {
    const last = typed.match(WORD)?.[0].toLowerCase();
    const entries = KINDS.flatMap(([name, kind, filled]) =>
      found[name].filter((text) => kind || (last && text !== last)).map((text) => ({ text, kind, value: filled(typed, text) })));
    list.replaceChildren(...entries.map((one, place) => {
      const entry = document.createElement("li");
      Object.assign(entry, { id: `completion${place}`, role: "option", textContent: one.text });
      entry.setAttribute("aria-selected", "false");
      entry.dataset.value = one.value;
      if (one.kind) {
        const label = document.createElement("span");
        Object.assign(label, { className: "note", textContent: ` ${one.kind}` });
        entry.append(label);
      }
      return entry;
    }));
    chosen = -1;
    box.removeAttribute("aria-activedescendant");
    list.hidden = !entries.length;
    box.setAttribute("aria-expanded", String(!list.hidden));
  }

  async function ask() {
    typed = box.value;
    // Its end is completed; and in a text of one letter everything begins so.
    if (typed.trim().length < 2 || FIELD.test(typed) || box.selectionStart !== typed.length) return close();
    request?.abort();
    const mine = (request = new AbortController());
    try {
      const address = `/api/complete?${new URLSearchParams({ q: typed, limit: EACH })}`;
      const answer = await fetch(address, { signal: mine.signal });
      if (!answer.ok) return close();
      const found = await answer.json();
      if (mine === request && document.activeElement === box) show(found);
    } catch {
      // Another key was pressed, or the server cannot be reached: nothing is offered.
    }
  }

  box.addEventListener("input", (event) => {
    close(); // what is offered completes an earlier text
    if (event.isComposing) return;
    timer = setTimeout(ask, PAUSE);
  });
  box.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) {
      if (event.key === "Enter") close();
      return;
    }
    const last = list.children.length - 1;
    if (event.key === "ArrowDown") mark(chosen === last ? -1 : chosen + 1);
    else if (event.key === "ArrowUp") mark(chosen === -1 ? last : chosen - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen >= 0) choose(list.children[chosen]);
    else {
      if (event.key === "Enter" || event.key === "Tab") close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  // Before the box loses the focus.
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const entry = event.target.closest("li");
    if (entry && event.button === 0) choose(entry);
  });
  box.addEventListener("blur", close);
  window.addEventListener("pagehide", close);
})();
