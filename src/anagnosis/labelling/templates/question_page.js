
"use strict";
(() => {
  const form = JSON.parse(document.body.dataset.form);
  const place = (name) => `anagnosis ${document.body.dataset.study} ${name}`;
  const at = (id) => document.getElementById(id);
  const sections = [...document.querySelectorAll("section.question")];
  const buttons = [...document.querySelectorAll("#map button")];
  const START = -1;
  const TICK = 5; // seconds between two entries of the time that passed
  const empty = () => ({ text: "", unsure: false, choices: [], seconds: 0 });
  const anew = (name) => ({ annotator: name, group: "people", at: START, answers: sections.map(empty) });
  const people = new Map(); // name → state, of those who began since the page was loaded
  let state = anew("");
  let since = null;

  // The words with single blanks, and half of a character, which no file of UTF-8 can hold, as a sign.
  const whole = (text) => (text.toWellFormed ? text.toWellFormed() : text).trim().replace(/\s+/gu, " ");
  const answered = (answer) => answer.unsure || answer.choices.length > 0 || answer.text.trim() !== "";

  // What is kept of a person: each has a place for the study, so that nobody saves the answers of another.
  const kept = (name) => {
    if (people.has(name)) return people.get(name);
    try {
      const stored = JSON.parse(localStorage.getItem(place(name)));
      if (stored.answers.length === sections.length) return { ...anew(name), group: stored.group, answers: stored.answers };
    } catch {
      // Nothing that can be read: the person begins anew, and `keep` says where nothing can be kept.
    }
    return anew(name);
  };

  const keep = () => {
    if (!state.annotator) return;
    try {
      localStorage.setItem(place(state.annotator), JSON.stringify(state));
    } catch {
      at("state").textContent = "This browser keeps no progress: save the file before you close the page.";
    }
  };

  // A machine that slept must not add its night to a question, hence the bound.
  const count = () => {
    const now = performance.now();
    if (since !== null && state.at !== START) {
      state.answers[state.at].seconds += Math.min((now - since) / 1000, 2 * TICK);
    }
    since = document.visibilityState === "visible" && state.at !== START ? now : null;
  };

  const progress = () => {
    const done = state.answers.filter(answered).length;
    at("progress").textContent = `${done} of ${sections.length} answered`;
    buttons.forEach((button, number) => {
      button.classList.toggle("done", answered(state.answers[number]));
      if (number === state.at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  };

  const show = (number) => {
    count();
    state.at = number;
    count();
    at("start").hidden = number !== START;
    at("map").hidden = document.querySelector("footer").hidden = number === START;
    sections.forEach((section, each) => { section.hidden = each !== number; });
    progress();
    keep();
    if (number === START) offer();
    scrollTo(0, 0);
  };

  const read = (number) => {
    const { elements } = sections[number].querySelector("form");
    const answer = state.answers[number];
    if (elements.text) {
      answer.text = elements.text.value;
      answer.unsure = elements.unsure.checked;
    } else {
      const boxes = sections[number].querySelectorAll("input[name=choice]:checked");
      answer.choices = [...boxes].map((box) => box.value);
    }
    progress();
    keep();
  };

  const fill = (_, number) => {
    const { elements } = sections[number].querySelector("form");
    const answer = state.answers[number];
    if (elements.text) {
      elements.text.value = answer.text;
      elements.text.disabled = elements.unsure.checked = answer.unsure;
    }
    for (const box of sections[number].querySelectorAll("input[name=choice]")) {
      box.checked = answer.choices.includes(box.value);
    }
    sections[number].querySelector("p.entity").hidden = true;
    for (const link of sections[number].querySelectorAll("a.chosen")) link.classList.remove("chosen");
  };

  // What a line holds: of a label the candidate's key, else the words as they were written.
  const given = (number) => {
    const { text, unsure, choices } = state.answers[number];
    if (sections[number].querySelector("fieldset")) return choices;
    if (unsure) return null;
    const written = whole(text);
    const entities = [...sections[number].querySelectorAll(".entities li")];
    const named = entities.findIndex((entity) => entity.dataset.label === written.toLowerCase());
    return named < 0 ? written : form.answers[number][named];
  };

  const lines = () => state.answers.flatMap((answer, number) => {
    if (!answered(answer)) return [];
    const line = { id: form.ids[number], [form.field]: given(number), ...form.constants };
    if (form.person) {
      line.annotator = state.annotator;
      line.group = state.group;
      line.seconds = Math.round(answer.seconds * 10) / 10;
    }
    return [`${JSON.stringify(line)}\n`];
  });

  const save = () => {
    count();
    keep();
    const made = lines();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(made, { type: "application/x-ndjson" }));
    link.download = `${form.file}-${state.annotator.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const left = sections.length - made.length;
    at("state").textContent = `Saved ${made.length} as ${link.download}` + (left ? `; ${left} not answered yet.` : ".");
  };

  const choose = (section, entity) => {
    for (const link of section.querySelectorAll("a[data-entity]")) {
      link.classList.toggle("chosen", link.dataset.entity === entity);
    }
    const item = section.querySelectorAll(".entities li")[Number(entity)];
    const about = section.querySelector("p.entity");
    about.hidden = false;
    about.querySelector(".about").textContent = item.textContent;
    const use = about.querySelector(".use");
    if (use) use.dataset.text = item.dataset.text;
  };

  sections.forEach((section, number) => {
    const asked = section.querySelector("form");
    asked.addEventListener("input", (event) => {
      const box = event.target;
      if (box.name === "choice" && box.checked) {
        const alone = "alone" in box.dataset;
        for (const other of asked.querySelectorAll("input[name=choice]")) {
          if (other !== box && (alone || "alone" in other.dataset)) other.checked = false;
        }
      }
      read(number);
      if (box.name === "unsure") fill(section, number);
    });
    asked.addEventListener("submit", (event) => {
      event.preventDefault();
      if (number + 1 < sections.length) show(number + 1);
      else at("save").focus();
    });
    section.querySelector(".back").addEventListener("click", () => show(number - 1));
    section.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-entity]");
      if (link) {
        event.preventDefault();
        choose(section, link.dataset.entity);
      } else if (event.target.matches(".use")) {
        const { elements } = asked;
        elements.unsure.checked = false;
        elements.text.disabled = false;
        elements.text.value = event.target.dataset.text;
        read(number);
        elements.text.focus();
      }
    });
  });

  buttons.forEach((button) => button.addEventListener("click", () => show(Number(button.dataset.to))));
  at("save").addEventListener("click", save);
  const begin = (load) => {
    const name = whole(at("annotator").value);
    if (!name) return at("annotator").focus();
    state = load(name);
    if (form.person) state.group = whole(at("group").value) || "people";
    people.set(name, state);
    at("state").textContent = "";
    sections.forEach(fill);
    const next = state.answers.findIndex((answer) => !answered(answer));
    show(Math.max(next, 0));
  };

  // Under the name that stands there: how many answers are kept, and the way to begin without them.
  const offer = () => {
    const known = kept(whole(at("annotator").value));
    const done = known.answers.filter(answered).length;
    at("anew").hidden = done === 0;
    at("anew").textContent = `Begin anew, without the ${done} kept`;
    at("progress").textContent = `${done} of ${sections.length} answered`;
    if (form.person && done > 0) at("group").value = known.group;
  };

  at("annotator").addEventListener("input", offer);
  at("anew").addEventListener("click", () => begin(anew));
  at("person").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(kept);
  });
  document.addEventListener("visibilitychange", () => { count(); keep(); });
  setInterval(() => { if (state.at !== START && since !== null) { count(); keep(); } }, TICK * 1000);

  show(START);
})();
