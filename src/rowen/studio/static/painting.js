/** The marks of everything that the desk shows on a page: values, delimiters, what recognizers and the finder found. */
import { delimitersOf, marksOf } from "./cells.js";

/** All marks on the page that the desk shows. @param {import("./desk.js").Desk} desk */
export function paintedMarks(desk) {
  const { state, cursor, page, sought } = desk;
  const { explanation, conflict } = desk.learner.proposals ?? {};
  const source = desk.texts.get(page);
  const delimiters = explanation?.delimiters ?? {};
  const rows = desk.rows(page);
  const doubted = (conflict?.marks ?? []).filter((mark) => mark.page === page).map(({ record }) => record);
  const marks = marksOf(rows, state.fields, {
    cursor: cursor?.page === page ? cursor : null,
    bad: new Set(doubted.length ? rows.filter(({ index }) => doubted.includes(index)).map(({ start }) => start) : []),
    delimiters: desk.delimiters && source ? (field, mark) => (delimiters[field] ? delimitersOf(source, delimiters[field], mark) : []) : null,
  });
  const extra = desk.recognizing.marks();
  if (sought) extra.push({ id: JSON.stringify(["sought"]), start: sought[0], end: sought[1], color: 8, kind: "mark", current: true });
  return [...desk.pointer.hints(), ...extra, ...marks];
}
