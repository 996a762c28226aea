/**
 * Records as pure values: what rows a page shows, and into which of them a mark goes.
 *
 * A record maps fields to `[start, end]`, a list of such pairs, or null where the field is missing;
 * a field that is not there is unknown. Offsets are code points of the page's source.
 *
 * @typedef {[number, number]} Span
 * @typedef {Object<string, Span | Span[] | null>} Marks
 * @typedef {{record: Marks, kinds: Object<string, "mark" | "proposal">, index: number,
 *            start: number, end: number}} Row  `index` counts the label's records; -1: proposed
 */

/** All spans of a field's value. */
export function spansOf(value) {
  if (!value || value.length === 0) return [];
  return Array.isArray(value[0]) ? value : [value];
}

/** Whether two values are the same, whatever the order of what they name. */
export function same(one, other) {
  if (one === other) return true;
  if (!one || !other || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => same(item, other[at]));
  }
  const names = Object.keys(one);
  return (
    !Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** A list that has come anew, with the old items where they are the same: they are known again. */
export function reusing(old, list) {
  const least = Math.min(old.length, list.length);
  let first = 0;
  while (first < least && same(old[first], list[first])) first++;
  if (first === old.length && first === list.length) return old;
  let last = 0;
  while (last < least - first && same(old.at(-1 - last), list.at(-1 - last))) last++;
  const middle = list.slice(first, list.length - last);
  return [...old.slice(0, first), ...middle, ...old.slice(old.length - last)];
}

/** From where to where a record reaches; null where it has no place on the page. */
export function extent(record) {
  let start = Infinity;
  let end = -Infinity;
  for (const value of Object.values(record)) {
    for (const [first, last] of spansOf(value)) {
      start = Math.min(start, first);
      end = Math.max(end, last);
    }
  }
  return end < 0 ? null : [start, end];
}

/** Whether two records are the same one, perhaps known to different degrees. */
export function matches(one, other) {
  return Object.keys(one).some((field) => one[field] && same(one[field], other[field]));
}

/** The same record with a value for a field; without the field where the value is undefined. */
export function withValue(record, field, value) {
  const { [field]: _, ...rest } = record;
  return value === undefined ? rest : { ...rest, [field]: value };
}

/** Where among records in page order a new one belongs. */
export function position(records, record) {
  const start = extent(record)?.[0] ?? Infinity;
  const after = records.findIndex((one) => (extent(one)?.[0] ?? -1) > start);
  return after < 0 ? records.length : after;
}

/**
 * What a page shows, in page order: what is marked, and what is proposed beside it.
 *
 * A proposal that reaches into a marked record tells its unknown fields, unless it contradicts it.
 *
 * @param {{records: Marks[], complete: boolean} | undefined} label
 * @param {Marks[]} proposed
 * @param {string[]} fields
 * @returns {Row[]}
 */
export function rowsOf(label, proposed, fields) {
  const others = label?.complete
    ? []
    : proposed.map((record) => rowOf(record, NOTHING, -1, fields)).filter((one) => one.end >= 0);
  const rows = [];
  let next = 0;
  for (const [index, record] of (label?.records ?? []).entries()) {
    const [start, end] = extent(record) ?? [-1, -1];
    while (next < others.length && others[next].end <= start) rows.push(others[next++]);
    let told = NOTHING;
    while (next < others.length && others[next].start < end) {
      const { record: other } = others[next++];
      if (agree(record, other)) told = other;
    }
    rows.push(rowOf(record, told, index, fields));
  }
  return rows.concat(others.slice(next));
}

/**
 * Into which row a new mark goes: the one whose value it touches, the one whose extent holds it,
 * the one before that lacks the field, the one after that lacks it; else null, for a new record.
 *
 * @param {Row[]} rows
 * @param {string} field
 * @param {Span} span
 * @returns {Row | null}
 */
export function rowFor(rows, field, span) {
  const [start, end] = span;
  const touched = rows.find((one) =>
    spansOf(one.record[field]).some(([first, last]) => first < end && start < last),
  );
  if (touched) return touched;
  const around = rows.find((one) => one.start <= start && end <= one.end);
  if (around) return around;
  const before = rows.findLast((one) => one.start <= start);
  if (before && lacks(before, field)) return before;
  const after = rows.find((one) => one.start > start);
  return after && isUnknown(after, field) ? after : null;
}

/** A value with one span more, in page order. */
export function added(value, span) {
  const spans = [...spansOf(value), span].sort((one, other) => one[0] - other[0]);
  return spans.length === 1 ? spans[0] : spans;
}

/** The last row made of a record: what has not changed is the same object, and need not be drawn. */
const made = new WeakMap();
const NOTHING = {};

/** The row of a marked record, with what a proposal tells beside it, or of a proposed one. */
function rowOf(record, told, index, fields) {
  const known = made.get(record);
  if (known && known.told === told && known.row.index === index && known.fields === fields) return known.row;
  const row = index < 0 ? joined({}, only(record, fields), index) : joined(record, told, index);
  made.set(record, { told, fields, row });
  return row;
}

function joined(marked, proposed, index) {
  const record = { ...proposed, ...marked };
  const kinds = {};
  for (const field of Object.keys(record)) kinds[field] = field in marked ? "mark" : "proposal";
  const [start, end] = extent(record) ?? [-1, -1];
  return { record, kinds, index, start, end };
}

function only(record, fields) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)));
}

function agree(one, other) {
  return Object.keys(one).every((field) => !(field in other) || same(one[field], other[field]));
}

function isUnknown(one, field) {
  return !(field in one.record);
}

/** Whether a row still wants a field; one that is only proposed may be wrong, but not the first. */
function lacks(one, field) {
  if (isUnknown(one, field)) return true;
  const starts = spansOf(one.record[field])[0]?.[0];
  return one.kinds[field] === "proposal" && starts !== one.start;
}
