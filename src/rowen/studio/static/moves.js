/** Moves the cursor through the cells of the table. */

/**
 * The cell that a step leads to; null if there is none, so that the key keeps its usual meaning.
 *
 * @param {{page: string, row: import("./records.js").Row}[]} shown  the table's rows
 * @param {{page: string, at: number, field: string | null} | null} cursor
 * @param {string[]} fields
 * @param {{down?: number, right?: number, wrap?: boolean}} step  `wrap`: from the last cell of a row to the next row
 */
export function stepped(shown, cursor, fields, { down = 0, right = 0, wrap = false }) {
  if (!shown.length) return null;
  const columns = [null, ...fields];
  if (!cursor) return { page: shown[0].page, at: shown[0].row.start, field: columns[1] ?? null };
  let line = shown.findIndex(({ page, row }) => page === cursor.page && row.start === cursor.at);
  let column = columns.indexOf(cursor.field) + right;
  if (wrap && column === columns.length) [line, column] = [line + 1, 0];
  else if (wrap && column < 0) [line, column] = [line - 1, columns.length - 1];
  line += down;
  if (wrap && !shown[line]) return null; // Tab leaves the table at its end
  const { page, row } = shown[within(line, shown.length)];
  return { page, at: row.start, field: columns[within(column, columns.length)] };
}

function within(index, length) {
  return Math.max(0, Math.min(index, length - 1));
}
