// What the page keeps in the browser, and the file that it saves and goes on from.
const PLACE = `anagnosis ${document.body.dataset.study}`;
const LARGEST = 16 * 1024 * 1024; // bytes of a file that is loaded
let stored = true;
let inFile = {}; // id → the answer in the file that was saved or loaded last

const answers = (count) => (count === 1 ? "1 answer is" : `${count} answers are`);
const say = (text) => { at("state").textContent = text; };

// One record for all tabs of the page.
let written = null; // the record as this tab wrote it last

const recall = (text) => {
  try {
    const kept = JSON.parse(text);
    return { ...kept, commits: kept.commits.filter(isLine), inFile: kept.inFile ?? {} };
  } catch {
    return null; // Nothing that can be read: the person begins anew.
  }
};

const keep = () => {
  try {
    const found = localStorage.getItem(PLACE);
    const kept = recall(found);
    if (kept && found !== written) merge(kept.commits);
    written = JSON.stringify({ commits, drafts, inFile });
    localStorage.setItem(PLACE, written);
    stored = true;
  } catch {
    stored = false;
  }
  const fault = stored ? "" : "This browser keeps no answers: save them before you close the page, and load the file to go on.";
  if (at("fault").textContent !== fault) at("fault").textContent = fault;
  for (const text of document.querySelectorAll(".kept")) text.hidden = !stored;
};

const recallAll = () => {
  let kept = null;
  try {
    written = localStorage.getItem(PLACE);
    kept = recall(written);
  } catch {
    stored = false; // `keep` says so.
  }
  if (!kept) return;
  merge(kept.commits);
  if (Array.isArray(kept.drafts) && kept.drafts.length === drafts.length) {
    kept.drafts.forEach((draft, number) => {
      if (typeof draft?.seconds === "number" && draft.seconds >= 0) drafts[number].seconds = draft.seconds;
      if (typeof draft?.after === "number" && draft.after >= 0) drafts[number].after = draft.after;
      if (draft?.given) drafts[number].given = checked(number, draft.given);
    });
  }
  inFile = kept.inFile;
};

// Of what was given the fields that still fit the page.
const checked = (number, given) => Object.fromEntries(form.fields.flatMap((field) => {
  const each = given[field.name];
  const fits = each && (each.n === true || typeof each.t === "string" || field.choices.includes(each.c)
    || (field.entities && form.answers[number][each.e] !== undefined)
    || (Array.isArray(each.m) && each.m.every((choice) => field.choices.includes(choice))));
  return fits ? [[field.name, each]] : [];
}));

// Another tab of this page has kept something.
addEventListener("storage", (event) => {
  if (event.key !== PLACE) return;
  const kept = recall(event.newValue);
  if (!kept) return;
  inFile = kept.inFile;
  merge(kept.commits);
  for (const [number, line] of last) drafts[number].seconds = Math.max(drafts[number].seconds, line.seconds);
  if (commits.length > kept.commits.length) keep();
  progress();
});

const save = () => {
  count();
  sections.forEach((_, number) => commit(number));
  const lines = commits.map((line) => `${JSON.stringify(line)}\n`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  link.download = form.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  filed(commits);
  const left = sections.length - last.size;
  say(`Saved ${last.size} as ${form.file}${left ? `; ${left} not answered yet.` : "."}`);
  progress();
  if (shown === END) conclude();
};

// The answers of a file are in it.
const filed = (lines) => {
  inFile = Object.fromEntries(lines.map((line) => [line.id, asked(line)]));
  keep();
};
const unfiled = () => [...last.values()].filter((line) => !same(asked(line), inFile[line.id])).length;

const load = async (file) => {
  say("");
  const wrong = (what) => { at("load-fault").textContent = what && `${file.name}: ${what}; load a file that this page saved`; };
  wrong("");
  if (file.size > LARGEST) return wrong("larger than 16 MiB");
  const lines = [];
  for (const [place, text] of (await file.text()).split("\n").entries()) {
    if (!text.trim()) continue;
    let line = null;
    try {
      line = JSON.parse(text);
    } catch {
      return wrong(`line ${place + 1} is no JSON`);
    }
    const fault = faultOf(line);
    if (fault) return wrong(`line ${place + 1}: ${fault}`);
    lines.push(line);
  }
  if (!lines.length) return wrong("no answers in it");
  addSeconds(lines);
  merge(lines);
  filed(lines);
  progress();
  offer();
  if (shown === END) conclude();
  return say(`Loaded ${new Set(lines.map((line) => line.id)).size} answers from ${file.name}.`);
};

// Whether closing the page now would lose answers.
const endangered = () => !stored && (sections.some((_, number) => drafted(number)) || unfiled() > 0);

addEventListener("beforeunload", (event) => {
  leave();
  if (endangered()) event.preventDefault();
});
