/** Alarms of drift, each with the way to its repair. */
import { counted, h } from "../../studio/static/dom.js";
import { address } from "../../studio/static/shell.js";
import * as api from "./api.js";
import { exact } from "./times.js";

/** One alarm. A click prepares the repair: the drifted pages come to the project in the studio. */
export function alarmLine({ extractor, pages, finding, since, repaired }, store, messages) {
  if (repaired) {
    const { project, version } = repaired;
    return h("li", { class: "note" }, h("div", {}, h("b", {}, `${extractor} was repaired`), `: version ${version} is published since the last run of ${store.name}. Use it in the next one.`), h("a", { class: "button", href: address(`studio#${encodeURIComponent(project)}/~publish`) }, "How to use it"));
  }
  return h(
    "li",
    { class: "alarm" },
    h("div", {}, h("b", {}, `${extractor} no longer fits`), ` on ${counted(pages, "page")} of ${store.name}, since `, exact(since), finding && h("p", { class: "quiet" }, finding)),
    h("button", { type: "button", class: "primary", "data-key": `repair-${extractor}`, onclick: (event) => repair(event.target, extractor, store, messages) }, "Repair"),
  );
}

async function repair(button, extractor, store, messages) {
  button.disabled = true;
  try {
    const { project } = await api.repair(store.id, extractor);
    location.href = address(`studio#${encodeURIComponent(project)}/~drift`);
  } catch (error) {
    messages.show(`${error.message}.`, "error");
    button.disabled = false;
  }
}
