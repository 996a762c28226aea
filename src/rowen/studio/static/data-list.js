/**
 * "Values in the page's data": what a page holds for programs, listed so that it can be marked like text. It comes
 * first on pages that their scripts would draw, because little else is to be seen there; else it is folded, last.
 */
import { counted } from "./dom.js";

/** The list lies beside the page's body, so that the page's layout does not count for it. */
export const DATA = "[data-rowen-data]";

const SAVING = "save it in your browser after it was drawn (as “Web page, complete”, as MHTML or with SingleFile) and add that file.";

/** Important for every page: the list looks the same on all of them. Studio's colours, in the page's own scheme. */
export const DATA_RULES = `
  ${DATA}, ${DATA} * { all: initial; color-scheme: inherit; direction: ltr; display: block; box-sizing: border-box; cursor: default;
    font: 14px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: var(--ink); overflow-wrap: anywhere;
    -webkit-user-select: text; user-select: text; }
  ${DATA} *::before, ${DATA} *::after { content: none; }
  ${DATA} { position: relative; z-index: 2147483647; padding: 14px 18px; background: var(--ground);
    border-block: 1px solid var(--line); text-align: start; clear: both; }
  ${DATA} [data-rowen-part="title"] { font-size: 17px; font-weight: 650; margin-bottom: 2px; }
  ${DATA} [data-rowen-part="note"] { color: var(--soft); max-width: 46rem; margin-bottom: 10px; }
  ${DATA} [data-rowen-folded]::before, ${DATA} [data-rowen-folded][data-rowen-open]::before { content: "▾ " attr(data-rowen-folded);
    display: inline-block; margin: 0 0 8px; padding: 2px 10px; border: 1px solid var(--line); border-radius: 7px;
    background: var(--raised); color: var(--ink); font: 600 13px/1.6 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; cursor: pointer; }
  ${DATA} [data-rowen-folded]:not([data-rowen-open])::before { content: "▸ " attr(data-rowen-folded); margin: 0; }
  ${DATA} [data-rowen-folded]:not([data-rowen-open]) > * { display: none; }
  ${DATA} [data-rowen-part="source"] { margin-bottom: 12px; padding: 8px 12px 10px; border: 1px solid var(--line); border-radius: 9px; background: var(--raised); }
  ${DATA} [data-rowen-part="source-name"] { font-weight: 650; margin-bottom: 4px; }
  ${DATA} [data-rowen-part="name"] { margin-top: 6px; color: var(--soft); font-size: 12.5px; font-weight: 600; }
  ${DATA} [data-rowen-part="inside"] { margin-left: 3px; padding-left: 12px; border-left: 2px solid var(--line); }
  ${DATA} [data-rowen-part="row"] { display: grid; grid-template-columns: minmax(80px, 11em) minmax(0, 1fr); gap: 0 12px; padding: 1px 6px; border-radius: 5px; }
  ${DATA} [data-rowen-part="row"]:hover { background: var(--accent-soft); }
  ${DATA} [data-rowen-part="row"], ${DATA} [data-rowen-part="row"] * { cursor: pointer; }
  ${DATA} [data-rowen-part="key"] { color: var(--soft); font-size: 13px; -webkit-user-select: none; user-select: none; }
  ${DATA} [data-rowen-part="value"] { unicode-bidi: plaintext; white-space: pre-wrap; }`;

/** The list as an element of a view; null if a page has no data, and shows what it holds. */
export function dataList(data) {
  if (!data?.tree && !data?.bare) return null;
  const notes = data.bare ? bareNotes(data) : [];
  const folded = { "data-rowen-folded": `Values in the page's data (${data.shown.toLocaleString("en")}${data.more ? "+" : ""})` };
  if (data.bare) folded["data-rowen-open"] = "";
  const list = data.tree && ["div", folded, ["div", {}, ...(data.bare ? [] : [note("What the page holds for programs. Point at a value and click it, like text; / searches.")]), data.tree,
    ...(data.more ? [note(`These are the first ${counted(data.shown, "value")}. The others are in the source: press S.`)] : [])]];
  return ["div", { "data-rowen-data": "" }, ...notes, ...(list ? [list] : [])];
}

function bareNotes({ in_scripts: inScripts }) {
  const way = inScripts
    ? `What they would draw is mostly in the page's data. Point at a value below and click it, like text; / searches them. If something is missing, ${SAVING}`
    : `This file does not hold what they would draw. To get it, ${SAVING}`;
  return [["div", { "data-rowen-part": "title" }, text("This page is drawn by its scripts, which do not run here")], note(way)];
}

const note = (words) => ["div", { "data-rowen-part": "note" }, text(words)];
const text = (words) => ({ x: words, m: [] });
