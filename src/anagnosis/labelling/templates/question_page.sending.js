// Lines go to the server one after the other. The server adds seconds that another page counted, and answers with the
// line as it keeps it.
const AGAIN = 10000; // milliseconds until lines that were not taken are sent again
let unsent = [];
const acknowledged = {}; // id → the seconds that the server last gave this page
let sending = false;
let resumed = !form.send;
let asking = false; // the server for what it has
let replies = 0; // to lines
let trouble = ""; // why the server takes no lines, "" where it does

const queue = (line) => {
  if (!form.send) return;
  unsent.push(line);
  flush();
};

// Send what other tabs had to send: they were closed, or learn by `giveOver` that this one does.
const tookOver = new Set();
const takeOver = (waiting) => {
  if (!form.send) return;
  for (const { lines, acknowledged: seconds } of Object.values(waiting)) {
    for (const line of (lines ?? []).filter(isLine)) {
      acknowledged[line.id] ??= Number(seconds?.[line.id]) || 0;
      tookOver.add(JSON.stringify(line));
      unsent.push(commits.find((each) => same(each, line)) ?? line);
    }
  }
};

// What other tabs still have to send themselves.
const othersWaiting = (waiting) => Object.fromEntries(Object.entries(waiting).flatMap(([tab, each]) => {
  const lines = (each.lines ?? []).filter((line) => !tookOver.has(JSON.stringify(line)));
  return tab === TAB || !lines.length ? [] : [[tab, { ...each, lines }]];
}));

// Another tab sends these lines.
const giveOver = (lines) => {
  const theirs = new Set(keys(lines));
  unsent = unsent.filter((line) => !theirs.has(JSON.stringify(line)));
};

const ask = async (options) => {
  const response = await fetch(form.send, { cache: "no-store", redirect: "error", ...options });
  const body = await response.json().catch(() => ({}));
  return { ok: response.ok, body };
};

const taken = (line, kept) => {
  replies += 1;
  unsent = unsent.filter((each) => each !== line);
  const more = kept.seconds - line.seconds;
  acknowledged[line.id] = kept.seconds;
  drafts[numbers.get(line.id)].seconds += more;
  for (const later of unsent) if (later.id === line.id) later.seconds = tenths(later.seconds + more);
  line.seconds = kept.seconds;
};

const flush = async () => {
  if (sending || !resumed || !unsent.length) return;
  sending = true;
  const refused = new Set(); // ids, of which no later line must go first
  let fault = "";
  for (let line = unsent[0]; line; line = unsent.find((each) => !refused.has(each.id))) {
    try {
      const { ok, body } = await ask({
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ line, since: acknowledged[line.id] ?? 0 }),
        keepalive: true,
      });
      if (ok && body.line) taken(line, body.line);
      else {
        refused.add(line.id);
        fault = [body.what, body.remedy].filter(Boolean).join("; ") || "the server does not take it";
      }
    } catch {
      fault = "the server does not answer";
      break;
    }
  }
  sending = false;
  keep();
  tell(fault);
};

const tell = (fault) => {
  trouble = fault;
  report();
};

// What the server has, and what it lacks.
const report = () => {
  if (!form.send) return;
  if (shown === END) conclude();
  if (!trouble) {
    warn("");
    if (sections[shown] && drafted(shown)) say("The answer on screen is not on the server yet.");
    else say(resumed && !unsent.length ? "All answers are kept on the server." : "");
    return;
  }
  say("");
  const left = unsent.length ? `${answers(unsent.length)} not kept on the server yet` : "The server's answers are not here yet";
  warn(`${left} (${trouble}). ${stored ? "This browser keeps your answers" : "Leave the page open"}; it tries again.`);
};

// The last line of each question that the server has. What it takes meanwhile may be missing: then it is asked again.
const onServer = async () => {
  for (;;) {
    const before = replies;
    const { ok, body } = await ask({});
    if (!ok || !Array.isArray(body.lines)) throw new Error();
    if (replies === before) return body.lines.filter(isLine);
  }
};

// Go on from what the server has, and then send what it lacks. Another tab or browser may have answered meanwhile.
const resume = async () => {
  if (asking) return;
  asking = true;
  try {
    const lines = await onServer();
    const waiting = new Set(unsent.map((line) => line.id));
    for (const line of lines) {
      if (waiting.has(line.id)) continue;
      drafts[numbers.get(line.id)].seconds += line.seconds - (acknowledged[line.id] ?? 0);
      acknowledged[line.id] = line.seconds;
    }
    const before = new Map(last);
    replaceLines([...lines, ...unsent]);
    for (const [number, line] of last) restore(number, line, before.get(number));
    resumed = true;
    keep();
    progress();
    offer();
    if (unsent.length) flush();
    else tell("");
  } catch {
    resumed = false;
    tell("the server does not answer");
  } finally {
    asking = false;
  }
};

if (form.send) setInterval(() => (resumed ? flush() : resume()), AGAIN);
