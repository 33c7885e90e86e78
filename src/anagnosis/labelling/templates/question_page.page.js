// The page: one question at a time, the way between them, and how far the person is.
const END = sections.length;
const buttons = [...document.querySelectorAll("#map button")];
const openQuestions = () => sections.map((_, number) => number).filter((number) => !complete(number));

const stateOf = (number) => (complete(number) ? "answered" : begun(number) ? "begun" : "open");

const progress = () => {
  const left = openQuestions().length;
  const text = `${sections.length - left} of ${sections.length} answered`;
  if (at("progress").textContent !== text) at("progress").textContent = text;
  at("bar").value = sections.length - left;
  for (const button of buttons) {
    const number = Number(button.dataset.to);
    if (sections[number]) {
      const state = stateOf(number);
      if (button.dataset.state !== state) {
        button.dataset.state = state;
        button.setAttribute("aria-label", `Question ${number + 1}, ${state}`);
      }
    }
    if (number === shown) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
};

const headingOf = (number) => {
  if (number === NOWHERE) return at("start-heading");
  return number === END ? at("end-heading") : at(`q${number}h`);
};
const sectionOf = (number) => headingOf(number).closest("section");

// What is left, with a button for each open question.
const conclude = () => {
  const left = openQuestions();
  at("left").textContent = left.length
    ? `You have answered ${sections.length - left.length} of ${sections.length} questions. Open:`
    : `You have answered all ${sections.length} questions.`;
  const lost = unfiled();
  const all = lost === 0 && last.size > 0;
  for (const text of sectionOf(END).querySelectorAll("[data-when]")) {
    text.hidden = text.dataset.when === "all" ? !all : lost === 0;
  }
  at("lost").textContent = answers(lost);
  at("open").replaceChildren(...left.map((number) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.to = number;
    button.textContent = number + 1;
    button.setAttribute("aria-label", `Question ${number + 1}, ${stateOf(number)}`);
    return button;
  }));
};

const leave = () => {
  count();
  commit(shown);
};

const show = (number) => {
  leave();
  sectionOf(shown).hidden = true;
  shown = number;
  used = performance.now();
  count();
  if (sections[number]) {
    sections[number].querySelector(".fault").textContent = "";
    paint(number);
  }
  if (number === END) conclude();
  if (number === NOWHERE) offer();
  sectionOf(number).hidden = false;
  progress();
  keep();
  scrollTo(0, 0);
  headingOf(number).focus({ preventScroll: true });
};

// On the first page: begin, or go on.
const offer = () => { at("begin").textContent = last.size || drafts.some((_, number) => begun(number)) ? "Go on" : "Begin"; };

const begin = () => {
  const [first] = openQuestions();
  show(first ?? END);
};

// The next question; where an answer is begun, what it lacks is said once, and a second time it goes on.
const next = (number) => {
  const fault = sections[number].querySelector(".fault");
  const missing = lacking(number);
  if (begun(number) && missing.length && !fault.textContent) {
    const legends = missing.map((field) => `“${field.legend}”`).join(", ");
    fault.textContent = `Still open: ${legends}. Choose Next again to leave the question so.`;
    const set = sections[number].querySelector(`fieldset[data-field="${CSS.escape(missing[0].name)}"]`);
    (set.querySelector("input:checked") ?? set.querySelector("input:not([data-e])") ?? set.querySelector("input")).focus();
    return;
  }
  show(number + 1);
};

const changed = (number, input) => {
  count();
  drafts[number].after = 0;
  take(number, input);
  paint(number);
  if (complete(number)) sections[number].querySelector(".fault").textContent = "";
  progress();
  keep();
};

sections.forEach((section, number) => {
  const asking = section.querySelector("form");
  asking.addEventListener("input", (event) => changed(number, event.target));
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    next(number);
  });
  section.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-e]");
    if (link) {
      event.preventDefault();
      const input = at(`q${number}e${link.dataset.e}`).querySelector("input");
      if (input) {
        input.checked = true;
        changed(number, input);
      } else {
        looked[number] = looked[number] === link.dataset.e ? null : link.dataset.e;
        paint(number);
      }
    } else if (event.target.closest(".to-answer a")) {
      event.preventDefault();
      asking.focus();
      asking.scrollIntoView();
    } else if (event.target.matches(".back")) show(number - 1);
  });
});

document.addEventListener("click", (event) => {
  const { to } = event.target.dataset ?? {};
  if (to !== undefined && event.target.matches("button")) show(Number(to));
});
at("begin").addEventListener("click", begin);
at("save").addEventListener("click", save);
at("load").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) await load(file);
  event.target.value = "";
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") used = performance.now();
  count();
  if (document.visibilityState === "hidden") {
    leave();
    keep();
  }
});
addEventListener("pagehide", () => { leave(); keep(); });
setInterval(() => {
  if (since === null) return;
  count();
  keep();
}, TICK * 1000);

recallAll();
keep();
progress();
offer();
