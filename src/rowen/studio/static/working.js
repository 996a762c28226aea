/** Says that learning takes a while, was stopped or failed; the last proposals stay meanwhile. */
import { fillChanged, h } from "./dom.js";

/** @param {HTMLElement} container @param {import("./learner.js").Learner} learner */
export function showWorking(container, learner) {
  const { slow, early, stopped, failure } = learner;
  container.hidden = !(slow || stopped || failure);
  fillChanged(container, [slow, early, stopped, failure], () => content(learner));
}

function content(learner) {
  const again = h("button", { type: "button", onclick: () => learner.again() }, "Try again");
  if (learner.slow) {
    return [
      h("span", { class: "busy" }, `${learner.marked ? "Learning from your marks" : "Finding the records of the table"} takes longer than usual. The records shown are ${learner.early ? "the first answer" : "from before"}.`),
      h("button", { type: "button", onclick: () => learner.stop() }, "Stop"),
    ];
  }
  if (learner.stopped) return [h("span", {}, "Stopped. The records shown are from before; your marks are kept."), again];
  return learner.failure && [h("span", { class: "failing" }, `Learning failed: ${learner.failure}. Your marks are kept.`), again];
}
