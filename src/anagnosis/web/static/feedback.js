// Judgements of an answer: the browser keeps them, and saves them as JSON lines.
"use strict";
(() => {
  const answer = document.querySelector(".answer[data-question]"), bar = document.getElementById("feedback");
  if (!answer || !bar) return;
  // Another collection may have been served at this address; what was said of its sentences stays apart.
  const KEPT = `anagnosis.feedback.${answer.dataset.collection}`, VERSION = 1;
  const question = answer.dataset.question, live = document.getElementById("live");
  const slots = [...answer.querySelectorAll(".judge")];
  const button = (name) => bar.querySelector(`[data-do=${name}]`);

  const ASKS = "Does this sentence answer?", CHOICES = [[true, "Answers"], [false, "Does not answer"]];
  const same = (one, other) => one.document === other.document && one.text === other.text;

  // All that is kept, oldest first. Another version, or a page of another program at this address, may have left some.
  function stored() {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
      return Array.isArray(found) ? found : [];
    } catch {
      return [];
    }
  }

  // Lines of this version are used, without entries that are damaged; all others are kept as they are.
  const isOurs = (line) => line?.feedback === VERSION && typeof line.question === "string" && line.question !== "";
  const isWhole = (one) => typeof one?.document === "string" && typeof one?.text === "string";
  const undamaged = (line) => ({ ...line, sentences: Array.isArray(line.sentences) ? line.sentences.filter(isWhole) : [] });
  const lines = () => stored().filter(isOurs).map(undamaged);

  function keep(all) {
    try {
      if (all.length) localStorage.setItem(KEPT, JSON.stringify(all));
      else localStorage.removeItem(KEPT);
      return true;
    } catch {
      live.textContent = "This browser does not keep feedback: save and delete what there is, or allow the page to store data.";
      return false;
    }
  }

  const line = () => lines().find((one) => one.question === question);
  const judgement = (slot) => line()?.sentences.find((one) => same(one, slot.dataset))?.answers;

  // The line of this question: what the page shows in its order, then what was judged of the question before.
  function judged(changes) {
    const shown = slots.map((slot) => {
      const answers = changes.has(slot) ? changes.get(slot) : judgement(slot);
      return answers === undefined ? { ...slot.dataset } : { ...slot.dataset, answers };
    });
    const earlier = (line()?.sentences ?? []).filter((one) => "answers" in one);
    const sentences = [...shown, ...earlier]
      .filter((one, place, all) => all.findIndex((other) => same(one, other)) === place);
    const any = sentences.some((one) => "answers" in one);
    return any ? { feedback: VERSION, question, state: answer.dataset.state, sentences } : null;
  }

  function judge(changes) {
    const made = judged(changes), rest = stored().filter((one) => !isOurs(one) || one.question !== question);
    if (keep(made ? [...rest, made] : rest)) show();
  }

  function show() {
    const count = lines().length;
    for (const name of ["save", "delete"]) button(name).hidden = !count;
    button("save").textContent = `Save feedback (${count} ${count === 1 ? "question" : "questions"})`;
    for (const slot of slots) {
      const value = judgement(slot);
      for (const one of slot.querySelectorAll("button")) one.setAttribute("aria-pressed", String(value === one.value_));
    }
  }

  function fill(slot) {
    slot.setAttribute("role", "group");
    slot.setAttribute("aria-label", ASKS);
    slot.append(Object.assign(document.createElement("span"), { textContent: ASKS, ariaHidden: "true" }));
    for (const [value, label] of CHOICES) {
      const one = document.createElement("button");
      Object.assign(one, { type: "button", className: "quiet", textContent: label, value_: value });
      one.addEventListener("click", () => judge(new Map([[slot, judgement(slot) === value ? undefined : value]])));
      slot.append(one);
    }
  }

  const ACTIONS = {
    judge() {
      const open = button("judge").getAttribute("aria-expanded") !== "true";
      button("judge").setAttribute("aria-expanded", String(open));
      for (const slot of slots) slot.hidden = !open;
      button("none").hidden = bar.querySelector("[data-says]").hidden = !open;
    },
    none() {
      judge(new Map(slots.map((slot) => [slot, false])));
    },
    save() {
      const text = lines().map((one) => `${JSON.stringify(one)}\n`).join("");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
      link.download = "feedback.jsonl";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      live.textContent = "Feedback is saved as feedback.jsonl";
    },
    delete() {
      if (!confirm("Delete the feedback on this collection that this browser keeps? Files that you saved stay.")) return;
      keep(stored().filter((one) => !isOurs(one)));
      show();
      live.textContent = "Feedback is deleted";
      button("judge").focus();
    },
  };
  for (const slot of slots) fill(slot);
  for (const [name, action] of Object.entries(ACTIONS)) button(name).addEventListener("click", action);
  window.addEventListener("storage", show);
  bar.hidden = false;
  show();
})();
