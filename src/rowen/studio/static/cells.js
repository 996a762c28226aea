/** Turns the values of records into marks on their page. */
import { spansOf } from "./records.js";

/**
 * The marks of all values on a page.
 *
 * @param {import("./records.js").Row[]} rows
 * @param {string[]} fields
 * @param {{cursor: {at: number, field: string | null} | null, bad: Set<number>,
 *          delimiters: ((field: string, mark: object) => object[]) | null}} options  `bad` has the
 *     starts of rows that contradict other rows
 */
export function marksOf(rows, fields, { cursor, bad, delimiters }) {
  const marks = rows.flatMap((row) => {
    const cells = cellsOf(row, fields);
    if (row.start !== cursor?.at) return cells;
    return cells.map((mark) => ({ ...mark, current: (cursor.field ?? mark.field) === mark.field }));
  });
  const doubted = bad.size ? rows.filter(({ start }) => bad.has(start)) : [];
  for (const mark of doubted.flatMap((row) => cellsOf(row, fields))) marks.push({ ...mark, kind: "conflict" });
  return delimiters ? marks.concat(marks.flatMap((mark) => delimiters(mark.field, mark))) : marks;
}

/** Marks of the delimiters beside a value, as far as they are next to it in the source. */
export function delimitersOf(source, [left, right], { start, end, color }) {
  const [before, after] = [start - [...left].length, end + [...right].length];
  const mark = (first, last) => ({
    id: JSON.stringify(["delimiter", first]), start: first, end: last, color, kind: "delimiter", current: false,
  });
  const marks = [];
  if (left && source.slice(before, start) === left) marks.push(mark(before, start));
  if (right && source.slice(end, after) === right) marks.push(mark(end, after));
  return marks;
}

/** The marks of each row. Rows that don't change are the same objects, so their marks are made once. */
const marksByRow = new WeakMap();

function cellsOf(row, fields) {
  const cached = marksByRow.get(row);
  if (cached?.fields === fields) return cached.marks;
  const marks = fields.flatMap((field, number) =>
    spansOf(row.record[field]).map(([start, end]) => ({
      id: JSON.stringify(["cell", row.start, field, start]),
      start, end, field, color: number % 9, kind: row.kinds[field], current: false,
    })),
  );
  marksByRow.set(row, { fields, marks });
  return marks;
}
