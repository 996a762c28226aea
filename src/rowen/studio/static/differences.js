/** Shows the differences between two wrappers. */
import { counted, h } from "./dom.js";

/** How the descriptions of two wrappers differ: lines of a unified diff. */
export function words(lines) {
  const differing = lines.filter((line) => !line.startsWith("@@"));
  if (!differing.length) return h("p", { class: "quiet" }, "The wrapper has not changed.");
  return h(
    "pre",
    { class: "difference", tabIndex: 0 },
    differing.map((line) => h("span", { class: KINDS[line[0]] ?? "same" }, `${line}\n`)),
  );
}

const KINDS = { "+": "came", "-": "went" };

/** The records that were added and removed, for each page. */
export function changes(pages) {
  if (!pages.length) return h("p", { class: "good" }, "Every page gives the same records as before.");
  return h(
    "div",
    {},
    h("p", {}, `${counted(pages.length, "page")} have different records:`),
    pages.map(({ page, came, went }) =>
      h(
        "details",
        { open: pages.length === 1 },
        h("summary", {}, `${page}: ${came.length} added, ${went.length} removed`),
        recordTable("Added", came),
        recordTable("Removed", went),
      ),
    ),
  );
}

/** Records as a table, one column per field. */
export function recordTable(caption, records) {
  if (!records.length) return null;
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => name !== "children");
  return h(
    "div",
    { class: "scrolling", tabIndex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "records" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, records.map((record) => h("tr", {}, names.map((name) => h("td", {}, textOf(record[name])))))),
    ),
  );
}

/** A value as a text: a price with its currency, a list with dots between. */
export function textOf(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map(textOf).join(" · ");
  if (typeof value === "object") {
    if ("amount" in value) return [value.amount, value.currency].filter(Boolean).join(" ");
    return Object.entries(value).map(([name, inner]) => `${name}: ${textOf(inner)}`).join(", ");
  }
  return String(value);
}
