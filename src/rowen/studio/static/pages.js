/** The list of pages: what is known of each, and which comes next. */
import { counted, fill, fillChanged, h } from "./dom.js";

export class Pages {
  /** @param {{open(page), remove(page), add()}} does */
  constructor(container, does) {
    this.does = does;
    this.list = h("ol", { class: "pages", "aria-label": "Pages" });
    this.title = h("h2", {}, "Pages");
    const add = h("button", { type: "button", class: "link", onclick: () => does.add() }, "Add pages");
    container.append(h("header", {}, this.title, add), this.list);
  }

  /** @param {{page, records, complete, failure, conflict, certainty, reasons}[]} known */
  show(known, current) {
    const done = known.filter((one) => one.complete).length;
    fill(this.title, "Pages ", h("span", { class: "count" }, `${done} of ${known.length} accepted`));
    fillChanged(this.list, [known, current], () => known.map((one) => this.#item(one, one.page === current)));
    if (this.current !== current) {
      this.current = current;
      this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  }

  #item(one, current) {
    const { sign, text, kind } = status(one);
    return h(
      "li",
      { class: kind },
      h(
        "button",
        {
          type: "button",
          class: "page-name",
          "data-key": `page ${one.page}`,
          "aria-current": current ? "page" : null,
          title: [one.page, text, ...(one.reasons ?? [])].join("\n"),
          onclick: () => this.does.open(one.page),
        },
        h("span", { class: "sign", "aria-hidden": "true" }, sign),
        h("span", { class: "text" }, one.page),
        h("span", { class: "note" }, one.complete || one.records ? String(one.records) : ""),
        h("span", { class: "hidden" }, `, ${text}`),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet more",
          "data-key": `remove ${one.page}`,
          "aria-label": `Remove ${one.page}`,
          onclick: () => this.does.remove(one.page),
        },
        "×",
      ),
    );
  }
}

function status(one) {
  const records = counted(one.records, "record");
  if (one.conflict) return { sign: "!", kind: "conflict", text: `marks contradict each other, ${records}` };
  if (one.complete) return { sign: "✓", kind: "accepted", text: `accepted, ${records}` };
  if (one.failure) return { sign: "!", kind: "failing", text: `the wrapper fails here: ${one.failure}` };
  if (one.certainty === undefined) return { sign: "○", kind: "", text: one.records ? records : "nothing known yet" };
  const percent = Math.round(100 * one.certainty);
  const kind = one.certainty < 0.6 ? "uncertain" : "likely";
  return { sign: kind === "likely" ? "◕" : "◔", kind, text: `${records}, ${percent} % certain` };
}
