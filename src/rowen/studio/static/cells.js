/** The values of records as marks on their page. */
import { spansOf } from "./records.js";

/**
 * The marks of all values on a page.
 *
 * @param {import("./records.js").Row[]} rows
 * @param {string[]} fields
 * @param {{cursor: {at: number, field: string | null} | null, bad: Set<number>,
 *          delimiters: ((field: string, mark: object) => object[]) | null}} look  `bad` has the
 *     starts of rows that contradict others
 */
export function marksOf(rows, fields, { cursor, bad, delimiters }) {
  const marks = rows.flatMap((row) => {
    const plain = cellsOf(row, fields);
    if (row.start !== cursor?.at) return plain;
    return plain.map((mark) => ({ ...mark, current: (cursor.field ?? mark.field) === mark.field }));
  });
  const doubted = bad.size ? rows.filter(({ start }) => bad.has(start)) : [];
  for (const mark of doubted.flatMap((row) => cellsOf(row, fields))) marks.push({ ...mark, kind: "conflict" });
  return delimiters ? marks.concat(marks.flatMap((mark) => delimiters(mark.field, mark))) : marks;
}

/** Marks of the delimiters beside a value, where they stand there. */
export function delimitersOf(source, [left, right], { start, end, color }) {
  const [before, after] = [start - [...left].length, end + [...right].length];
  const mark = (first, last) => ({
    id: JSON.stringify(["delimiter", first]), start: first, end: last, color, kind: "delimiter", current: false,
  });
  const found = [];
  if (left && source.slice(before, start) === left) found.push(mark(before, start));
  if (right && source.slice(end, after) === right) found.push(mark(end, after));
  return found;
}

/** The marks made of a row, which are made once. */
const made = new WeakMap();

function cellsOf(row, fields) {
  const known = made.get(row);
  if (known?.fields === fields) return known.marks;
  const marks = fields.flatMap((field, number) =>
    spansOf(row.record[field]).map(([start, end]) => ({
      id: JSON.stringify(["cell", row.start, field, start]),
      start, end, field, color: number % 9, kind: row.kinds[field], current: false,
    })),
  );
  made.set(row, { fields, marks });
  return marks;
}
