// Seconds in which a question is shown in a visible window and the person uses the page. A pause counts up to form.idle
// seconds. Between two counts ten seconds are added at most, so that a machine that slept adds no night.
const NOWHERE = -1;
const TICK = 5; // seconds between two counts
let shown = NOWHERE;
let since = null;
let used = performance.now(); // when the person last used the page

const count = () => {
  const now = performance.now();
  if (since !== null && drafts[shown]) {
    const until = Math.min(now, used + form.idle * 1000);
    const passed = until > since ? Math.min((until - since) / 1000, 2 * TICK) : 0;
    drafts[shown].seconds += passed;
    drafts[shown].after += passed; // the last change of the answer
  }
  since = document.visibilityState === "visible" && drafts[shown] ? now : null;
};

const use = () => {
  const now = performance.now();
  if (now - used > form.idle * 1000) count();
  used = now;
};

for (const event of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart", "touchmove", "input"]) {
  addEventListener(event, use, { passive: true, capture: true });
}
