/** The list of pages, each with its status. */
import { counted, fill, fillChanged, h } from "./dom.js";

export class Pages {
  /** @param {{open(page), remove(page), add()}} callbacks */
  constructor(container, callbacks) {
    this.callbacks = callbacks;
    this.list = h("ol", { class: "pages", "aria-label": "Pages" });
    this.title = h("h2", {}, "Pages");
    const add = h("button", { type: "button", class: "link", onclick: () => callbacks.add() }, "Add pages");
    container.append(h("header", {}, this.title, add), this.list);
  }

  /** @param {{page, records, complete, failure, conflict, certainty, reasons}[]} summaries */
  show(all, current) {
    const accepted = all.filter(({ complete }) => complete).length;
    // A wrapper from a few marks may fail elsewhere. That is news only after somebody has accepted what it does.
    const summaries = accepted ? all : all.map((summary) => ({ ...summary, failure: null }));
    fill(this.title, "Pages ", h("span", { class: "count" }, `${accepted} of ${summaries.length} accepted`));
    fillChanged(this.list, [summaries, current], () => summaries.map((summary) => this.#item(summary, summary.page === current)));
    if (this.current !== current) {
      this.current = current;
      this.list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  }

  #item(summary, current) {
    const { sign, text, kind } = status(summary);
    return h(
      "li",
      { class: kind },
      h(
        "button",
        {
          type: "button",
          class: "page-name",
          "data-key": `page ${summary.page}`,
          "aria-current": current ? "page" : null,
          title: [summary.page, text, ...(summary.reasons ?? [])].join("\n"),
          onclick: () => this.callbacks.open(summary.page),
        },
        h("span", { class: "sign", "aria-hidden": "true" }, sign),
        h("span", { class: "text" }, summary.page),
        h("span", { class: "note" }, summary.complete || summary.records ? String(summary.records) : ""),
        h("span", { class: "hidden" }, `, ${text}`),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet more",
          "data-key": `remove ${summary.page}`,
          "aria-label": `Remove ${summary.page}`,
          onclick: () => this.callbacks.remove(summary.page),
        },
        "×",
      ),
    );
  }
}

function status(summary) {
  const records = counted(summary.records, "record");
  if (summary.conflict) return { sign: "!", kind: "conflict", text: `marks contradict each other, ${records}` };
  if (summary.complete) return { sign: "✓", kind: "accepted", text: `accepted, ${records}` };
  if (summary.failure) return { sign: "!", kind: "failing", text: `the wrapper fails here: ${summary.failure}` };
  if (summary.certainty === undefined) return { sign: "○", kind: "", text: summary.records ? records : "not checked yet" };
  const percent = Math.round(100 * summary.certainty);
  const kind = summary.certainty < 0.6 ? "uncertain" : "likely";
  return { sign: kind === "likely" ? "◕" : "◔", kind, text: `${records}, ${percent} % certain` };
}
