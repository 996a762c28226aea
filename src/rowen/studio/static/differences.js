/** Differences between two wrappers, as people read them. */
import { counted, h } from "./dom.js";

/** How the wrappers' words differ, line by line. */
export function words(lines) {
  const shown = lines.filter((line) => !line.startsWith("@@"));
  if (!shown.length) return h("p", { class: "quiet" }, "The wrapper says the same as before.");
  return h(
    "pre",
    { class: "difference", tabIndex: 0 },
    shown.map((line) => h("span", { class: KINDS[line[0]] ?? "same" }, `${line}\n`)),
  );
}

const KINDS = { "+": "came", "-": "went" };

/** What came and went on each page. */
export function changes(pages) {
  if (!pages.length) return h("p", { class: "good" }, "The same records come from every page.");
  return h(
    "div",
    {},
    h("p", {}, `${counted(pages.length, "page")} give other records:`),
    pages.map((one) =>
      h(
        "details",
        { open: pages.length === 1 },
        h("summary", {}, `${one.page}: ${one.came.length} came, ${one.went.length} went`),
        recordTable("Came", one.came),
        recordTable("Went", one.went),
      ),
    ),
  );
}

/** Records as a table, one column a field. */
export function recordTable(caption, records) {
  if (!records.length) return null;
  const names = [...new Set(records.flatMap((one) => Object.keys(one)))].filter((name) => name !== "children");
  return h(
    "div",
    { class: "scrolling", tabIndex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { class: "records" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, records.map((one) => h("tr", {}, names.map((name) => h("td", {}, shown(one[name])))))),
    ),
  );
}

function shown(value) {
  if (value === null || value === undefined) return "–";
  return Array.isArray(value) ? value.join(" · ") : value;
}
