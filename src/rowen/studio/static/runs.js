/** Runs over time: the pages by result, the work that was saved, the records that were added and removed. */
import * as api from "./api.js";
import { recordTable } from "./differences.js";
import { counted, fill, h, stateOf } from "./dom.js";
import { bars, lines } from "./plots.js";

const FATES = ["unchanged", "changed", "renamed", "new"];
/** The changes of at most this many runs are shown. */
const COMPARED = 30;

export class Runs {
  constructor(container, { messages }) {
    this.container = container;
    this.messages = messages;
    this.store = 0;
  }

  async show() {
    const stores = await api.stores();
    if (!stores.length) {
      fill(
        this.container,
        stateOf({
          sign: "▤",
          title: "No store to show",
          text: ["Start the studio with ", h("code", {}, "--store DIR"), ", where DIR is what ", h("code", {}, "rowen run --store DIR"), " writes to."],
        }),
      );
      return;
    }
    const { name, runs } = await api.runs(this.store);
    const labels = runs.map((run) => `${run.number}`);
    const extractors = [...new Set(runs.flatMap((run) => Object.keys(run.records)))];
    this.changes = h("section", { class: "card" });
    fill(
      this.container,
      h(
        "div",
        { class: "screen wide" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, `${name}: ${counted(runs.length, "run")}`),
          stores.length > 1 && this.chooser(stores),
          runs.length > 0 && h("div", { class: "plots" }, plots(runs, labels, extractors)),
        ),
        this.changes,
      ),
    );
    if (extractors.length) await this.compare(runs, extractors, extractors[0]);
  }

  chooser(stores) {
    return h(
      "div",
      { class: "line" },
      h("label", { for: "runs-store" }, "Store"),
      h(
        "select",
        { id: "runs-store", onchange: (event) => ((this.store = Number(event.target.value)), this.show()) },
        stores.map(({ number, name }) => h("option", { value: number, selected: number === this.store }, name)),
      ),
    );
  }

  /** Show the records of an extractor that each of the last runs added and removed. */
  async compare(runs, extractors, extractor) {
    const compared = runs.slice(1).slice(-COMPARED);
    const results = [];
    for (const run of compared) {
      fill(this.changes, h("p", { class: "waiting", role: "status" }, `Comparing run ${run.number} with the one before…`));
      results.push(await api.changes(this.store, extractor, run.number));
    }
    const count = (kind) => results.map(({ counts }) => counts[kind] ?? 0);
    const last = results.at(-1);
    const recordsOf = (kind) => (last?.some ?? []).filter(({ change }) => change === kind).map((change) => ({ page: change.page, ...shownValues(change) }));
    fill(
      this.changes,
      h("h2", {}, "Added, changed and removed records"),
      h(
        "div",
        { class: "line" },
        h("label", { for: "runs-extractor" }, "Extractor"),
        h(
          "select",
          { id: "runs-extractor", "data-key": "runs-extractor", onchange: (event) => this.compare(runs, extractors, event.target.value) },
          extractors.map((name) => h("option", { selected: name === extractor }, name)),
        ),
      ),
      compared.length === 0
        ? h("p", { class: "quiet" }, "There is only one run so far: nothing to compare.")
        : [
            bars(`Records of ${extractor}`, compared.map((run) => `${run.number}`), [
              { name: "added", values: count("came") },
              { name: "changed", values: count("changed") },
              { name: "removed", values: count("went") },
            ]),
            recordTable(`Added by run ${compared.at(-1).number}`, recordsOf("came")),
            recordTable(`Changed by run ${compared.at(-1).number}`, recordsOf("changed")),
            recordTable(`Removed by run ${compared.at(-1).number}`, recordsOf("went")),
          ],
    );
  }
}

/** The values of a change; where one differs from before, both. */
function shownValues({ values, before }) {
  if (!before) return values;
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      JSON.stringify(value) === JSON.stringify(before[name] ?? null) ? value : `${text(before[name] ?? null)} → ${text(value)}`,
    ]),
  );
}

function plots(runs, labels, extractors) {
  const series = (name, value) => ({ name, values: runs.map(value) });
  const speed = series("speed-up", (run) => (run.speed_up === null ? null : Math.round(run.speed_up * 10) / 10));
  const hasSpeed = speed.values.some((value) => value !== null); // short runs have no speed-up
  return [
    bars("Pages by result", labels, FATES.map((fate) => series(fate, (run) => run.pages[fate] ?? 0))),
    lines("Records", labels, extractors.map((name) => series(name, (run) => run.records[name] ?? null))),
    hasSpeed && lines("Speed-up over extraction from scratch (matching and extraction)", labels, [speed]),
    lines("Seconds of work of all processes", labels, [series("seconds", (run) => Math.round(run.seconds * 100) / 100)]),
  ];
}
