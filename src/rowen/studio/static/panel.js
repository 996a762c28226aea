/** Describes the wrapper and its reliability, or the contradiction if no wrapper fits. */
import { conflictView } from "./conflict.js";
import { counted, fill, fillChanged, h } from "./dom.js";

/** At most this many records to check are linked. The warnings above the links count all of them. */
const PLACES_SHOWN = 5;

export class Panel {
  /** @param {{choose(name), open(page, record), act(action), showDelimiters(on)}} callbacks */
  constructor(container, callbacks, classes) {
    this.callbacks = callbacks;
    this.status = h("p", { class: "status", role: "status" });
    this.choice = h(
      "select",
      { id: "class", onchange: () => callbacks.choose(this.choice.value) },
      classes.map((name) => h("option", { value: name }, name === "auto" ? "auto (best fit)" : name)),
    );
    this.delimiters = h("input", {
      type: "checkbox",
      id: "delimiters",
      onchange: () => callbacks.showDelimiters(this.delimiters.checked),
    });
    this.steps = h("ol", { class: "path", "aria-label": "Steps" });
    this.body = h("div", {});
    container.append(
      h("h2", {}, "Next"),
      this.steps,
      this.status,
      this.body,
      h(
        "details",
        { class: "theory advanced" },
        h("summary", {}, "Advanced"),
        h("p", {}, "The studio tries all classes of wrappers and takes the one that fits best. You can choose a class yourself."),
        h("p", { class: "choice" }, h("label", { for: "class" }, "Class"), this.choice),
      ),
    );
  }

  show({ state, learner, marked }) {
    const { proposals, failure, busy, early } = learner;
    this.choice.value = state.class;
    this.#drawSteps(state, proposals);
    this.status.classList.toggle("busy", busy || early);
    fill(this.status, this.#status(proposals, { busy, early, marked }));
    const { conflict, explanation } = proposals ?? {};
    const accepted = state.pages.filter((page) => state.labels[page]?.complete).length;
    const estimate = learner.judgement?.estimate ?? null; // it comes after the proposals
    fillChanged(this.body, [failure, conflict, explanation, accepted, estimate], () => this.#content(failure, conflict, explanation && { ...explanation, estimate }, accepted));
  }

  /** The three steps to the data, with the one that is next. */
  #drawSteps(state, proposals) {
    const accepted = state.pages.filter((page) => state.labels[page]?.complete).length;
    const isFound = Boolean(proposals?.wrapper) || accepted > 0;
    const isChecked = accepted > 0 && accepted === state.pages.length;
    const steps = [
      ["Point at the data", "Take a suggested table, or click one value after the other on the page.", isFound],
      ["Check the pages", accepted ? `${accepted} of ${counted(state.pages.length, "page")} accepted.` : "Accept each page that is right. Correct what is wrong: the others follow.", isChecked],
      ["Get the data", "As CSV, Excel, JSON or Parquet. You can get it at any time.", false],
    ];
    const next = steps.findIndex(([, , done]) => !done);
    fillChanged(this.steps, steps, () =>
      steps.map(([title, text, done], number) =>
        h("li", { class: done ? "done" : "", "aria-current": number === next ? "step" : null }, h("b", {}, title), number === next && h("span", {}, text)),
      ),
    );
  }

  #content(failure, conflict, explanation, accepted) {
    if (failure) return h("p", { class: "failing" }, failure);
    if (conflict) return conflictView(conflict, this.callbacks);
    if (explanation) return this.#explanation(explanation, accepted);
    return null;
  }

  #status(proposals, { busy, early, marked }) {
    if (early) return "Learning… The records shown are the first answer; the other pages may still improve it.";
    if (busy) return "Learning…";
    if (proposals?.conflict) return "No wrapper fits all marks.";
    if (!proposals?.explanation) return marked ? "Nothing learned yet." : "";
    const { pages, records } = proposals.explanation;
    const extracted = Object.values(proposals.pages).reduce((sum, page) => sum + page.records.length, 0);
    const origin = records ? `Learned from ${counted(records, "record")} on ${counted(pages, "page")}` : "The suggested table";
    return `${origin}; finds ${counted(extracted, "record")} on ${counted(Object.keys(proposals.pages).length, "page")}.`;
  }

  /** One honest line, and the rest for those who want to know. */
  #explanation({ class: name, description, estimate, assurance, confidence, cut_short: isCutShort, delimiters, warnings, warned, records }, accepted) {
    const [first, ...lines] = description.split("\n");
    return [
      warned.length > 0 && this.#warnings(warnings, warned),
      h("p", { class: "honest" }, honestLine(estimate, records, accepted)),
      h(
        "details",
        { class: "theory" },
        h("summary", {}, "How it finds the records"),
        h("p", { class: "words" }, h("b", {}, `${name}: `), first),
        lines.length > 0 && h("ul", { class: "words" }, lines.map((line) => h("li", {}, line))),
        Object.keys(delimiters).length > 0 && h("p", { class: "showing" }, this.delimiters, " ", h("label", { for: "delimiters" }, "Show the delimiters in the source")),
      ),
      (estimate || confidence !== null || assurance.length > 0) &&
        h(
          "details",
          { class: "theory" },
          h("summary", {}, "How far to trust it"),
          estimate && bar("Cross-validation", estimate.right / estimate.tried, `${estimate.right} of ${counted(estimate.tried, estimate.unit.replace(/s$/, ""))}`),
          confidence !== null && bar("Guarantee (PAC)", confidence, `${Math.round(100 * confidence)} %`),
          assurance.map((line) => h("p", {}, line)),
          isCutShort && h("p", {}, "The search ended at its time limit: there may be a better wrapper. The command line searches longer."),
        ),
    ];
  }

  /** The warnings about the wrapper, and links to the marked records that they name. */
  #warnings(warnings, warned) {
    const places = new Map();
    for (const { page, record, field } of warnings) {
      if (page) places.set(`${page} ${record ?? ""}`, { page, record: record ?? 0, field });
    }
    const linked = [...places.values()].slice(0, PLACES_SHOWN);
    return h(
      "div",
      { class: "warned", role: "alert" },
      h("h3", {}, "Warnings"),
      warned.map((line) => h("p", { class: "failing" }, line)),
      linked.length > 0 &&
        h(
          "ul",
          { class: "suspects" },
          linked.map(({ page, record }) =>
            h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.callbacks.open(page, record) }, `${page}, record ${record + 1}`)),
          ),
        ),
    );
  }
}

/** How reliable a wrapper is, as far as anybody knows. */
function honestLine(estimate, records, accepted) {
  if (estimate?.tried) return `Right on ${estimate.right} of ${counted(estimate.tried, estimate.unit.replace(/s$/, ""))} left out while learning.`;
  if (accepted > 1 || (!records && accepted)) return `It finds what you accepted on ${counted(accepted, "page")}.`;
  return records ? "Not tested yet: accept two pages, and it is tried on each of them." : "Nobody has checked it yet: look at some pages and accept them.";
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
