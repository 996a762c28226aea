/** Two marks that contradict each other, side by side, with what resolves it. */
import { h } from "./dom.js";

/**
 * @param {{reason, field, pages, marks, sides, advice}} conflict  see studio/conflict.py
 * @param {{open(page, record), act(action)}} callbacks
 */
export function conflictView({ reason, field, pages, sides, marks, advice }, { open, act }) {
  const link = (text, page, record) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => open(page, record) }, text));
  const others = marks.filter((mark) => !sides.some((side) => side.page === mark.page && side.record === mark.record));
  return [
    h("p", { class: "failing", role: "alert" }, field ? `${field}: ${reason}` : reason),
    sides.length > 0 && [
      h("h3", {}, sides.length > 1 ? "These two marks contradict each other" : "This mark contradicts the others"),
      h("div", { class: "sides" }, sides.map((side) => sideView(side, { open, act }))),
    ],
    !sides.length && pages.length > 0 && h("ul", { class: "suspects" }, pages.map((page) => link(page, page, 0))),
    others.length > 0 && [
      h("h3", {}, "These may be wrong as well"),
      h("ul", { class: "suspects" }, others.map(({ page, record }) => link(`${page}, record ${record + 1}`, page, record))),
    ],
    advice.length > 0 && [
      h("h3", {}, "What may help"),
      h(
        "ul",
        { class: "advice" },
        advice.map(({ text, action }) => h("li", {}, text, action && h("button", { type: "button", onclick: () => act(action) }, "Apply"))),
      ),
    ],
  ];
}

/** One of the two marks, with the source around it: what the learner sees. */
function sideView({ page, record, field, excerpt, removal }, { open, act }) {
  const name = `${page}, record ${record + 1}`;
  return h(
    "section",
    { class: "side", "aria-label": name },
    h("p", {}, h("button", { type: "button", class: "link", onclick: () => open(page, record) }, name)),
    h("pre", { tabindex: 0, "aria-label": "Source around the mark" }, h("span", { class: "around" }, excerpt.before), h("mark", {}, excerpt.value), h("span", { class: "around" }, excerpt.after)),
    h("button", { type: "button", class: "removal", onclick: () => act(removal.action) }, field && removal.action.records.length ? `Remove this ${field}` : "Remove this record"),
  );
}
