/**
 * Says that learning takes a while, was stopped or failed, or that marks contradict each other where the panel that
 * shows them is closed; the last proposals stay meanwhile.
 */
import { fillChanged, h } from "./dom.js";

/**
 * @param {HTMLElement} container
 * @param {import("./learner.js").Learner} learner
 * @param {(() => void) | null} openPanel  null if it is open
 */
export function showWorking(container, learner, openPanel) {
  const { slow, early, stopped, failure } = learner;
  const isHidden = Boolean(learner.proposals?.conflict && openPanel);
  container.hidden = !(slow || stopped || failure || isHidden);
  fillChanged(container, [slow, early, stopped, failure, isHidden], () => content(learner, openPanel));
}

function content(learner, openPanel) {
  const again = h("button", { type: "button", onclick: () => learner.again() }, "Try again");
  if (learner.slow) {
    return [
      h("span", { class: "busy" }, `${learner.marked ? "Learning from your marks" : "Finding the records of the table"} takes longer than usual. The records shown are ${learner.early ? "the first answer" : "from before"}.`),
      h("button", { type: "button", onclick: () => learner.stop() }, "Stop"),
    ];
  }
  if (learner.stopped) return [h("span", {}, "Stopped. The records shown are from before; your marks are kept."), again];
  if (!learner.failure) {
    return openPanel && [h("span", { class: "failing" }, "No wrapper fits all marks: some contradict each other."), h("button", { type: "button", onclick: openPanel }, "Show them")];
  }
  return [h("span", { class: "failing" }, `Learning failed: ${learner.failure}. Your marks are kept.`), again];
}
