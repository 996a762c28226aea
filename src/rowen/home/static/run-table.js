/** A table of runs: when, how long, what became of the pages, and what was saved. */
import { h } from "../../studio/static/dom.js";
import { address } from "../../studio/static/shell.js";
import { exact, lasted } from "./times.js";

const FATES = ["unchanged", "changed", "new", "gone"];

/** @param {Array} runs as `run_of` in runs.py writes them; with `withStore`, each has its `store`, else all are of `storeId` */
export function runTable(caption, runs, { withStore = false, storeId = null, current = null } = {}) {
  const heads = [withStore && "Store", "Run", "When", "Took", "Unchanged", "Changed", "New", "Gone", "Failed", "Records", "Saved"].filter(Boolean);
  return h(
    "div",
    { class: "scrolling runs", tabIndex: 0, role: "group", "aria-label": caption },
    h(
      "table",
      { class: "records numbers" },
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, runs.map((run) => row(run, withStore, storeId, current))),
    ),
  );
}

function row(run, withStore, storeId, current) {
  const failed = run.failed + run.unreadable;
  return h(
    "tr",
    { class: run.drifted.length ? "drifted" : "" },
    withStore && h("td", {}, h("a", { href: address(`#/operations/${run.store.id}`) }, run.store.name)),
    h("td", {}, h("a", { href: address(`#/operations/${storeId ?? run.store.id}/${run.number}`), "aria-current": run.number === current ? "true" : null }, `${run.number}`), run.drifted.length > 0 && h("span", { class: "drift" }, ` drift: ${run.drifted.join(", ")}`)),
    h("td", {}, exact(run.created)),
    h("td", {}, lasted(run.seconds)),
    FATES.map((fate) => h("td", { class: "number" }, (run.pages[fate] ?? 0).toLocaleString("en"))),
    h("td", { class: failed ? "number failing" : "number" }, failed.toLocaleString("en")),
    h("td", { class: "number" }, Object.values(run.records).reduce((sum, count) => sum + count, 0).toLocaleString("en")),
    h("td", {}, saved(run)),
  );
}

/** What reuse saved: the share of text that was not read again, and the speed-up where it can be measured. */
export function saved({ saved: share, speed_up: speed }) {
  if (share === null) return "–";
  const text = `${(100 * share).toFixed(share > 0.99 && share < 1 ? 1 : 0)}% of the text`;
  return speed === null ? text : `${text}, ${speed.toFixed(1)}× as fast`;
}
