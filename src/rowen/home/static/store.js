/** A store: its runs over time, and what one of them changed. */
import { recordTable, textOf } from "../../studio/static/differences.js";
import { counted, fill, h } from "../../studio/static/dom.js";
import { bars, lines } from "../../studio/static/plots.js";
import { address } from "../../studio/static/shell.js";
import { alarmLine } from "./alarms.js";
import * as api from "./api.js";
import { runTable } from "./run-table.js";
import { exact } from "./times.js";

const FATES = ["unchanged", "changed", "renamed", "new"];
const KINDS = { changed: "changed", came: "added", went: "removed" };
/** The plots show at most this many runs. */
const PLOTTED = 60;
/** How long the table waits for another letter of the search, in milliseconds. */
const PAUSE = 200;

export class StoreView {
  constructor(container, { path, messages }) {
    this.container = container;
    this.messages = messages;
    [this.id, this.chosenRun] = path;
    this.search = { query: "", kind: "", first: 0 };
  }

  async draw() {
    const store = (this.store = await api.store(this.id));
    this.run = this.chosenRun === undefined ? store.runs[0]?.number : Number(this.chosenRun);
    this.extractor = store.extractors.includes(this.extractor) ? this.extractor : (store.alarms[0]?.extractor ?? store.extractors[0]);
    this.changed = h("section", { class: "card", "aria-labelledby": "changes" });
    this.details = h("div", {});
    fill(
      this.container,
      h(
        "div",
        { class: "home" },
        h("p", {}, h("a", { href: "#/operations" }, "Operations"), " / ", store.name),
        h("h1", { class: "name" }, store.name),
        h("p", { class: "quiet" }, store.place, store.chosen && [" ", h("button", { type: "button", class: "link", onclick: () => this.remove() }, "Show it no longer")]),
        store.alarms.length > 0 && h("ul", { class: "attention" }, store.alarms.map((alarm) => alarmLine(alarm, store, this.messages))),
        store.problems.map((problem) => h("p", { class: "warning" }, problem)),
        store.runs.length === 0 ? h("p", {}, "No run has ended yet.") : [this.changed, this.details, runsCard(store, this.run), plots(store)],
      ),
    );
    if (store.runs.length) await this.drawChanges();
  }

  async remove() {
    await api.removeStore(this.id);
    location.hash = "#/operations";
  }

  /** What the chosen run changed: a table with search. */
  async drawChanges() {
    const { run, extractor, search } = this;
    const found = await api.changes(this.id, { extractor, run, ...search });
    const { counts, total, before } = found;
    const from = this.store.runs.find(({ number }) => number === run);
    const searching = h("input", { type: "search", id: "changes-search", value: search.query, placeholder: "Search values and pages", "data-key": "changes-search", oninput: () => this.searchLater(searching.value) });
    fill(
      this.changed,
      h("h2", { id: "changes" }, run === this.store.runs[0].number ? "What changed last night" : `What run ${run} changed`),
      h(
        "div",
        { class: "line" },
        this.store.extractors.length > 1 && [
          h("label", { for: "changes-extractor" }, "Extractor"),
          h("select", { id: "changes-extractor", "data-key": "changes-extractor", onchange: (event) => this.choose({ extractor: event.target.value }) }, this.store.extractors.map((name) => h("option", { selected: name === extractor }, name))),
        ],
        h("label", { for: "changes-search", class: "hidden" }, "Search"),
        searching,
        ["", ...Object.keys(KINDS)].map((kind) =>
          h(
            "button",
            { type: "button", "aria-pressed": String(kind === search.kind), "data-key": `kind-${kind}`, onclick: () => this.choose({ search: { ...search, kind, first: 0 } }) },
            kind ? `${(counts[kind] ?? 0).toLocaleString("en")} ${KINDS[kind]}` : "All",
          ),
        ),
        from && h("span", { class: "quiet" }, `run ${run}, `, exact(from.created)),
      ),
      before === null
        ? h("p", { class: "quiet" }, `This is the first run of ${extractor}: nothing to compare.`)
        : found.changes.length
          ? [this.table(found.changes), this.pager(total)]
          : h("p", { class: "good" }, search.query ? "No change matches." : "No record was added, changed or removed."),
    );
  }

  searchLater(query) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.choose({ search: { ...this.search, query, first: 0 } }), PAUSE);
  }

  choose(chosen) {
    Object.assign(this, chosen);
    this.drawChanges().catch((error) => this.messages.show(`${error.message}.`, "error"));
  }

  table(changes) {
    const names = [...new Set(changes.flatMap(({ values }) => Object.keys(values)))];
    return h(
      "div",
      { class: "scrolling changes", tabIndex: 0, role: "group", "aria-label": "Changed records" },
      h(
        "table",
        { class: "records" },
        h("thead", {}, h("tr", {}, ["", ...names, "Page", ""].map((head, place) => (head ? h("th", { scope: "col" }, head) : h("th", { scope: "col" }, h("span", { class: "hidden" }, place ? "History" : "Change")))))),
        h("tbody", {}, changes.map((change) => this.row(change, names))),
      ),
    );
  }

  row({ change, page, values, before, fields }, names) {
    return h(
      "tr",
      {},
      h("td", {}, h("span", { class: `kind ${change}` }, KINDS[change] ?? change)),
      names.map((name) =>
        h("td", {}, before && fields.includes(name) ? [h("del", {}, textOf(before[name])), " → ", h("ins", {}, textOf(values[name]))] : textOf(values[name])),
      ),
      h("td", {}, h("button", { type: "button", class: "link", onclick: () => this.openPage(page, change === "went") }, page)),
      h("td", {}, h("button", { type: "button", class: "link", onclick: () => this.openHistory(page, values) }, "History")),
    );
  }

  pager(total) {
    const { first } = this.search;
    const shown = 200;
    if (total <= shown) return h("p", { class: "quiet" }, counted(total, "change"));
    const turn = (to) => this.choose({ search: { ...this.search, first: to } });
    return h(
      "p",
      { class: "line" },
      h("button", { type: "button", disabled: first === 0, onclick: () => turn(first - shown) }, "Previous"),
      h("span", {}, `${first + 1}–${Math.min(first + shown, total)} of ${counted(total, "change")}`),
      h("button", { type: "button", disabled: first + shown >= total, onclick: () => turn(first + shown) }, "Next"),
    );
  }

  /** Show a page with its records marked. A record that is gone is on the page of the run before. */
  openPage(page, isGone) {
    const runs = this.store.runs.map(({ number }) => number);
    const run = isGone ? Math.max(...runs.filter((number) => number < this.run)) : this.run;
    const path = api.pagePath(this.id, { extractor: this.extractor, run, page });
    const frame = h("iframe", { class: "page-report", title: `${page} with its records`, sandbox: "allow-scripts" });
    fill(
      this.details,
      h(
        "section",
        { class: "card", "aria-label": "Page" },
        h("div", { class: "line" }, h("h2", {}, page), h("span", { class: "quiet" }, `as it was in run ${run}`), /^https?:/.test(page) && h("a", { href: page, rel: "noreferrer", target: "_blank" }, "Open it on the web"), h("span", { class: "space" }), this.closing()),
        frame,
      ),
    );
    this.details.scrollIntoView({ block: "nearest" });
    frame.src = address(path);
  }

  async openHistory(page, values) {
    try {
      const { versions } = await api.history(this.id, { extractor: this.extractor, page, values });
      const rows = versions.map(({ values: own, since, until, snapshot, page: place }) => ({ run: snapshot, since: new Date(since).toLocaleString(), until: until ? new Date(until).toLocaleString() : "now", ...own, page: place }));
      const title = textOf(Object.values(values)[0] ?? page);
      fill(this.details, h("section", { class: "card", "aria-label": "History" }, h("div", { class: "line" }, h("h2", {}, `History of ${title}`), h("span", { class: "space" }), this.closing()), rows.length ? recordTable(counted(rows.length, "version"), rows) : h("p", {}, "Nothing is known of it.")));
      this.details.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.messages.show(`${error.message}.`, "error");
    }
  }

  closing() {
    return h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => fill(this.details) }, "×");
  }
}

function runsCard(store, run) {
  return h(
    "section",
    { class: "card", "aria-labelledby": "runs" },
    h("h2", { id: "runs" }, counted(store.total, "run")),
    store.total > store.runs.length && h("p", { class: "quiet" }, `The last ${store.runs.length} of them.`),
    runTable("Runs", store.runs, { storeId: store.id, current: run }),
  );
}

function plots(store) {
  const runs = store.runs.slice(0, PLOTTED).reverse();
  if (runs.length < 2) return null;
  const labels = runs.map(({ number }) => `${number}`);
  const names = [...new Set(runs.flatMap(({ records }) => Object.keys(records)))];
  const series = (name, value) => ({ name, values: runs.map(value) });
  return h(
    "section",
    { class: "card", "aria-labelledby": "over-time" },
    h("h2", { id: "over-time" }, "Over time"),
    h(
      "div",
      { class: "plots" },
      lines("Records", labels, names.map((name) => series(name, ({ records }) => records[name] ?? null))),
      bars("Pages by result", labels, FATES.map((fate) => series(fate, ({ pages }) => pages[fate] ?? 0))),
      lines("Seconds", labels, [series("seconds", ({ seconds }) => (seconds === null ? null : Math.round(100 * seconds) / 100))]),
      lines("Text not extracted again, in percent", labels, [series("percent", ({ saved }) => (saved === null ? null : Math.round(1000 * saved) / 10))]),
    ),
  );
}
