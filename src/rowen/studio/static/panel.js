/** The wrapper in words, how far to trust it, and what contradicts where there is none. */
import { counted, fill, fillChanged, h } from "./dom.js";

/** So many records to look at are linked; the lines above tell of all. */
const PLACES_SHOWN = 5;

export class Panel {
  /** @param {{choose(name), open(page, record), act(action), showDelimiters(on)}} does */
  constructor(container, does, classes) {
    this.does = does;
    this.status = h("p", { class: "status", role: "status" });
    this.choice = h(
      "select",
      { id: "class", onchange: () => does.choose(this.choice.value) },
      classes.map((name) => h("option", { value: name }, name === "auto" ? "auto (the best fitting)" : name)),
    );
    this.shown = h("input", {
      type: "checkbox",
      id: "delimiters",
      onchange: () => does.showDelimiters(this.shown.checked),
    });
    this.body = h("div", {});
    container.append(
      h("h2", {}, "Wrapper"),
      this.status,
      this.body,
      h("p", { class: "choice" }, h("label", { for: "class" }, "Class"), this.choice),
    );
  }

  show({ state, learner, marked }) {
    const { proposals, failure, busy } = learner;
    this.choice.value = state.class;
    this.status.classList.toggle("busy", busy);
    fill(this.status, this.#status(proposals, busy, marked));
    const { conflict, explanation } = proposals ?? {};
    fillChanged(this.body, [failure, conflict, explanation], () => this.#told(failure, conflict, explanation));
  }

  #told(failure, conflict, explanation) {
    if (failure) return h("p", { class: "failing" }, failure);
    if (conflict) return this.#conflict(conflict);
    if (explanation) return this.#explanation(explanation);
    return h("p", { class: "empty" }, "Mark one record: what is learned from it is told here.");
  }

  #status(proposals, busy, marked) {
    if (busy) return "Learning…";
    if (proposals?.conflict) return "No wrapper fits all marks.";
    if (!proposals?.explanation) return marked ? "Nothing learned yet." : "";
    const { pages, records } = proposals.explanation;
    const found = Object.values(proposals.pages).reduce((sum, one) => sum + one.records.length, 0);
    return `Learned from ${counted(records, "record")} on ${counted(pages, "page")}; finds ${counted(found, "record")} on ${counted(Object.keys(proposals.pages).length, "page")}.`;
  }

  #explanation({ class: name, description, estimate, assurance, confidence, delimiters, warnings, warned }) {
    const [first, ...lines] = description.split("\n");
    return [
      warned.length > 0 && this.#warnings(warnings, warned),
      h("p", { class: "words" }, h("b", {}, `${name}: `), first),
      lines.length > 0 && h("ul", { class: "words" }, lines.map((line) => h("li", {}, line))),
      Object.keys(delimiters).length > 0 && h("p", { class: "showing" }, this.shown, " ", h("label", { for: "delimiters" }, "Show the delimiters in the source")),
      h("h3", {}, "How sure"),
      estimate && bar("Left out and found again", estimate.right / estimate.tried, `${estimate.right} of ${counted(estimate.tried, estimate.unit.replace(/s$/, ""))}`),
      confidence !== null && bar("Guarantee (PAC)", confidence, `${Math.round(100 * confidence)} %`),
      h("details", {}, h("summary", {}, "What this means"), assurance.map((line) => h("p", {}, line))),
    ];
  }

  /** What is wrong with the wrapper, in words, and the marked records to look at. */
  #warnings(warnings, warned) {
    const places = new Map();
    for (const { page, record, field } of warnings) {
      if (page) places.set(`${page} ${record ?? ""}`, { page, record: record ?? 0, field });
    }
    const shown = [...places.values()].slice(0, PLACES_SHOWN);
    return h(
      "div",
      { class: "warned", role: "alert" },
      h("h3", {}, "Not all is right"),
      warned.map((line) => h("p", { class: "failing" }, line)),
      shown.length > 0 &&
        h(
          "ul",
          { class: "suspects" },
          shown.map(({ page, record }) =>
            h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.does.open(page, record) }, `${page}, record ${record + 1}`)),
          ),
        ),
    );
  }

  #conflict({ reason, field, pages, marks, advice }) {
    const link = (text, page, record) =>
      h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.does.open(page, record) }, text));
    return [
      h("p", { class: "failing" }, field ? `${field}: ${reason}` : reason),
      pages.length > 0 && !marks.length && h("ul", { class: "suspects" }, pages.map((page) => link(page, page, 0))),
      marks.length > 0 && [
        h("h3", {}, "These marks contradict the others"),
        h("ul", { class: "suspects" }, marks.map(({ page, record }) => link(`${page}, record ${record + 1}`, page, record))),
      ],
      advice.length > 0 && [
        h("h3", {}, "What would help"),
        h(
          "ul",
          { class: "advice" },
          advice.map(({ text, action }) =>
            h("li", {}, text, action && h("button", { type: "button", onclick: () => this.does.act(action) }, "Do that")),
          ),
        ),
      ],
    ];
  }
}

function bar(name, share, text) {
  return h(
    "div",
    { class: "bar" },
    h("span", {}, name),
    h("span", { class: "figure" }, text),
    h("meter", { min: 0, max: 1, value: share, "aria-label": name }),
  );
}
