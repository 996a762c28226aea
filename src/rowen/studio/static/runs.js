/** Runs over time: what became of the pages, how much was saved, which records came and went. */
import * as api from "./api.js";
import { recordTable } from "./differences.js";
import { counted, fill, h } from "./dom.js";
import { bars, lines } from "./plots.js";

const FATES = ["unchanged", "changed", "renamed", "new"];
const ASKED = 30;

export class Runs {
  constructor(container, { told }) {
    this.container = container;
    this.told = told;
    this.store = 0;
  }

  async show() {
    const stores = await api.stores();
    if (!stores.length) {
      fill(
        this.container,
        h(
          "div",
          { class: "screen" },
          h(
            "section",
            { class: "card" },
            h("h2", {}, "No store to show"),
            h("p", {}, "Start the studio with ", h("code", {}, "--store DIR"), ", where DIR is what ", h("code", {}, "rowen run --store DIR"), " writes to."),
          ),
        ),
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
        stores.map((one) => h("option", { value: one.number, selected: one.number === this.store }, one.name)),
      ),
    );
  }

  /** Which of an extractor's records came and went with each of the last runs. */
  async compare(runs, extractors, extractor) {
    const asked = runs.slice(1).slice(-ASKED);
    const found = [];
    for (const run of asked) {
      fill(this.changes, h("p", { class: "waiting", role: "status" }, `Comparing run ${run.number} with the one before…`));
      found.push(await api.changes(this.store, extractor, run.number));
    }
    const count = (kind) => found.map((one) => one.counts[kind] ?? 0);
    const last = found.at(-1);
    const some = (kind) => (last?.some ?? []).filter((one) => one.change === kind).map((one) => ({ page: one.page, ...one.values }));
    fill(
      this.changes,
      h("h2", {}, "Records that came and went"),
      h(
        "div",
        { class: "line" },
        h("label", { for: "runs-extractor" }, "Extractor"),
        h(
          "select",
          { id: "runs-extractor", "data-key": "runs-extractor", onchange: (event) => this.compare(runs, extractors, event.target.value) },
          extractors.map((one) => h("option", { selected: one === extractor }, one)),
        ),
      ),
      asked.length === 0
        ? h("p", { class: "quiet" }, "There is one run so far: nothing to compare.")
        : [
            bars(`Records of ${extractor}`, asked.map((run) => `${run.number}`), [
              { name: "came", values: count("came") },
              { name: "went", values: count("went") },
            ]),
            recordTable(`Came with run ${asked.at(-1).number}`, some("came")),
            recordTable(`Went with run ${asked.at(-1).number}`, some("went")),
          ],
    );
  }
}

function plots(runs, labels, extractors) {
  const of = (name, value) => ({ name, values: runs.map(value) });
  const speed = of("speed-up", (run) => (run.speed_up === null ? null : Math.round(run.speed_up * 10) / 10));
  const known = speed.values.some((value) => value !== null); // short runs have none
  return [
    bars("Pages by what became of them", labels, FATES.map((fate) => of(fate, (run) => run.pages[fate] ?? 0))),
    lines("Records", labels, extractors.map((one) => of(one, (run) => run.records[one] ?? null))),
    known && lines("Times as fast as from scratch (matching and extraction)", labels, [speed]),
    lines("Seconds of work, of all processes together", labels, [of("seconds", (run) => Math.round(run.seconds * 100) / 100)]),
  ];
}
