// What is asked of each question, and what the person has given: of each field one of {e: entity}, {c: choice},
// {m: [choices]}, {t: text} and {n: true} for null, or nothing yet.
const form = JSON.parse(document.body.dataset.form);
const at = (id) => document.getElementById(id);
const sections = [...document.querySelectorAll("section.question")];
const drafts = form.ids.map(() => ({ given: {}, seconds: 0, after: 0 }));

// The words with single blanks, and half of a character, which no file of UTF-8 can hold, as a sign.
const whole = (text) => (text.toWellFormed ? text.toWellFormed() : text).trim().replace(/\s+/gu, " ");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The list's item of an entity, and the entity that a person has written instead of choosing it: by its label, or by a
// name that the list shows, without regard to capitals, where no other entity has that name. -1: there is none.
const entityLabel = (number, entity) => at(`q${number}e${entity}`).textContent.trim();
const folded = (text) => whole(text).normalize("NFC").toLowerCase();
const entityWritten = (number, text) => {
  const words = folded(text);
  const labelled = form.answers[number].findIndex((_, entity) => entityLabel(number, entity).split(" ")[0] === words);
  if (labelled >= 0 || !words) return labelled;
  const named = form.names[number].flatMap((names, entity) => (names.some((name) => folded(name) === words) ? [entity] : []));
  return named.length === 1 ? named[0] : -1;
};

// The entity that is chosen or written in a field; -1 for none.
const entityOf = (number, field) => {
  const given = drafts[number].given[field.name] ?? {};
  if ("e" in given) return given.e;
  return field.entities && "t" in given ? entityWritten(number, given.t) : -1;
};

// Where entities are no answers: the one whose places are marked.
const looked = drafts.map(() => null);

// What a line holds of a field; undefined where nothing is given.
const valueOf = (number, field) => {
  const given = drafts[number].given[field.name];
  if (!given) return undefined;
  if (given.n) return null;
  if (given.m) return given.m.length ? given.m : undefined;
  if ("c" in given) return given.c;
  const entity = entityOf(number, field);
  return entity < 0 ? whole(given.t) || undefined : form.answers[number][entity];
};

const lacking = (number) => form.fields.filter((field) => valueOf(number, field) === undefined);
const complete = (number) => lacking(number).length === 0;
const begun = (number) => form.fields.some((field) => valueOf(number, field) !== undefined);
const valuesOf = (number) => Object.fromEntries(form.fields.map((field) => [field.name, valueOf(number, field) ?? null]));

// What a saved line says of a field, as `given`.
const givenOf = (number, field, value) => {
  if (value === null) return { n: true };
  if (Array.isArray(value)) return { m: value };
  const entity = field.entities ? form.answers[number].indexOf(value) : -1;
  if (entity >= 0) return { e: entity };
  return field.choices.includes(value) ? { c: value } : { t: value };
};

// Take what stands in the page after `input` changed. A choice may empty another field, and an answer there undoes it.
const take = (number, input) => {
  const { given } = drafts[number];
  const field = form.fields.find(({ name }) => name === input.name);
  if (!field) return;
  if (input.type === "checkbox") {
    const boxes = [...input.closest("fieldset").querySelectorAll("input[type=checkbox]")];
    if (input.checked) {
      for (const box of boxes) {
        if (box !== input && ("alone" in input.dataset || "alone" in box.dataset)) box.checked = false;
      }
    }
    given[field.name] = { m: boxes.filter((box) => box.checked).map((box) => box.value) };
  } else if (input.type === "radio") {
    if (input.dataset.e !== undefined) given[field.name] = { e: Number(input.dataset.e) };
    else given[field.name] = "none" in input.dataset ? { n: true } : { c: input.value };
  } else {
    given[field.name] = { t: input.value };
  }
  const emptied = field.empties[given[field.name].c];
  for (const name of Object.values(field.empties)) {
    if (name !== emptied && given[name]?.n) delete given[name];
  }
  if (emptied) given[emptied] = { n: true };
  if (valueOf(number, field) === undefined) return;
  for (const other of form.fields) {
    if (other.empties[given[other.name]?.c] === field.name) delete given[other.name];
  }
};

// Show what is given: what is checked and written, and every place of a chosen entity.
const paint = (number) => {
  const section = sections[number];
  let chosen = looked[number] ?? null;
  let written = false;
  for (const field of form.fields) {
    const given = drafts[number].given[field.name] ?? {};
    const entity = entityOf(number, field);
    if (entity >= 0) {
      chosen = String(entity);
      written = "t" in given;
    }
    for (const input of section.querySelectorAll(`fieldset[data-field="${CSS.escape(field.name)}"] input`)) {
      if (input.type === "checkbox") input.checked = Boolean(given.m?.includes(input.value));
      else if (input.type === "text") {
        if (input.value !== (given.t ?? "")) input.value = given.t ?? "";
      } else if (input.dataset.e !== undefined) input.checked = Number(input.dataset.e) === entity;
      else input.checked = "none" in input.dataset ? Boolean(given.n) : input.value === given.c;
    }
  }
  let places = 0;
  for (const link of section.querySelectorAll("a[data-e]")) {
    const here = link.dataset.e === chosen;
    if (here) places += 1;
    if (here === link.classList.contains("chosen")) continue;
    link.classList.toggle("chosen", here);
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  for (const item of section.querySelectorAll(".entities [data-e]")) {
    item.closest("label, li").classList.toggle("chosen", item.dataset.e === chosen);
  }
  const about = section.querySelector("[data-chosen]");
  if (!about) return;
  const marked = `${places} ${places === 1 ? "place" : "places"} marked`;
  const text = chosen === null ? "" : `${written ? "Your words name " : ""}${entityLabel(number, chosen)}: ${marked}`;
  if (about.textContent !== text) about.textContent = text;
};
