// The lines that the page saves, in the order in which they were made. Of several lines of a question the last is valid.
let commits = [];
const last = new Map(); // number of a question → its last line
const numbers = new Map(form.ids.map((id, number) => [id, number]));

const keys = (lines) => lines.map((line) => JSON.stringify(line));
const asked = (line) => form.fields.map((field) => line[field.name]);

const lineOf = (number) => {
  const fields = {
    ...form.constants,
    ...valuesOf(number),
    id: form.ids[number],
    seconds: Math.max(tenths(drafts[number].seconds - drafts[number].after), last.get(number)?.seconds ?? 0),
    place: number + 1,
  };
  return Object.fromEntries(form.order.map((name) => [name, fields[name]]));
};

// Whether an answer is begun that is not the one of the question's last line.
const drafted = (number) => begun(number) && !(last.has(number) && same(asked(last.get(number)), asked(lineOf(number))));

// Add a line for a question whose answer is complete and not that of its last line.
const commit = (number) => {
  if (!drafts[number] || !complete(number) || !drafted(number)) return;
  const line = lineOf(number);
  commits.push(line);
  last.set(number, line);
  keep();
};

const allowed = (number, field, line) => {
  const value = line[field.name];
  const emptied = form.fields.some((other) => other.empties[line[other.name]] === field.name);
  if (value === null) return emptied || field.none;
  if (emptied) return false;
  if (field.several) {
    return Array.isArray(value) && new Set(value).size === value.length && value.length > 0
      && value.every((each) => field.choices.includes(each))
      && !(value.length > 1 && value.some((each) => field.alone.includes(each)));
  }
  if (typeof value !== "string") return false;
  if (field.choices.includes(value) || (field.entities && form.answers[number].includes(value))) return true;
  return value !== "" && value.length <= field.text && value === whole(value);
};

// What is wrong with a line that this page is to go on from; "" for nothing.
const faultOf = (line) => {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return "it is no object";
  const fields = Object.keys(line);
  const other = fields.find((name) => !form.order.includes(name)) ?? form.order.find((name) => !fields.includes(name));
  if (other) return `it should have the fields ${form.order.join(", ")} (${other})`;
  for (const [name, value] of Object.entries(form.constants)) {
    if (line[name] !== value) return `its ${name} is ${JSON.stringify(line[name])}, and this page is of ${JSON.stringify(value)}`;
  }
  const number = numbers.get(line.id);
  if (number === undefined) return `${JSON.stringify(line.id)} is no question of this page`;
  if (line.place !== number + 1) return "its place is another than that of the question";
  if (typeof line.seconds !== "number" || !(line.seconds >= 0)) return "its seconds are no number";
  const wrong = form.fields.find((field) => !allowed(number, field, line));
  return wrong ? `${wrong.name} cannot be ${JSON.stringify(line[wrong.name])}` : "";
};

const isLine = (line) => faultOf(line) === "";

// Show the answer of a line, unless the person has begun to change what the page last knew of the question.
const restore = (number, line, before) => {
  if (begun(number) && !(before && same(asked(before), asked(lineOf(number))))) return;
  drafts[number].given = Object.fromEntries(
    form.fields.map((field) => [field.name, givenOf(number, field, line[field.name])]),
  );
  paint(number);
};

// The lines in order. The seconds of a question never become fewer, and no line stands twice in a row.
const replaceLines = (lines) => {
  commits = [];
  last.clear();
  for (const line of lines) {
    const number = numbers.get(line.id);
    const before = last.get(number);
    if (before) line.seconds = Math.max(line.seconds, before.seconds);
    if (before && same(before, line)) continue;
    commits.push(line);
    last.set(number, line);
  }
};

const tenths = (seconds) => Math.round(seconds * 10) / 10;

// Put lines from elsewhere before the page's own, so that the page's own are valid where both answer a question.
const merge = (lines) => {
  const theirs = new Set(keys(lines));
  const before = new Map(last);
  replaceLines([...lines, ...commits.filter((line) => !theirs.has(JSON.stringify(line)))]);
  for (const [number, line] of last) restore(number, line, before.get(number));
};

// Add the seconds of lines from elsewhere that the page does not know to those that it counted itself.
const addSeconds = (lines) => {
  const known = new Set(keys(commits));
  const seconds = new Map(); // id → those of all lines, and of the known ones
  for (const line of lines) {
    const [all, common] = seconds.get(line.id) ?? [0, 0];
    const shared = known.has(JSON.stringify(line)) ? line.seconds : 0;
    seconds.set(line.id, [Math.max(all, line.seconds), Math.max(common, shared)]);
  }
  const theirs = new Set(keys(lines));
  for (const [id, [all, common]] of seconds) {
    drafts[numbers.get(id)].seconds += all - common;
    for (const line of commits) {
      if (line.id === id && !theirs.has(JSON.stringify(line))) line.seconds = tenths(line.seconds + all - common);
    }
  }
};
