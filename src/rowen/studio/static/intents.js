/**
 * What a person wants, as data: it is kept until the server has it, and still makes sense when the
 * project was changed in another window meanwhile.
 *
 * @typedef {{want: "set", page, anchor: Marks | null, field, value, told}
 *         | {want: "drop", page, anchor: Marks}
 *         | {want: "label", page, records: Marks[], complete: boolean, told}
 *         | {want: "action", action: object}
 *         | {want: "undo"} | {want: "redo"}} Intent
 */
import { matches, position, same, withValue } from "./records.js";

/** It can't be done any more. */
export class Unfit extends Error {}

/**
 * The action that brings a state to what is wanted; null where it is so already.
 *
 * @param {Intent} intent
 */
export function actionFor(intent, state) {
  if (intent.want === "action") return same(applied(state, intent.action), state) ? null : intent.action;
  if (!state.pages.includes(intent.page)) throw new Unfit(`${intent.page} is no longer there`);
  const label = state.labels[intent.page] ?? { records: [], complete: false };
  const splice = labelled(intent, label, state.fields);
  return splice && { do: "splice", page: intent.page, ...splice };
}

/** The state after an action, as the server will tell it. */
export function applied(state, action) {
  switch (action.do) {
    case "splice": {
      const label = state.labels[action.page] ?? { records: [], complete: false };
      const records = label.records.toSpliced(action.start, action.end - action.start, ...action.records);
      return { ...state, labels: { ...state.labels, [action.page]: { records, complete: action.complete } } };
    }
    case "fields": {
      const labels = {};
      for (const [page, label] of Object.entries(state.labels)) {
        const records = label.records.map((one) => renamed(one, action));
        labels[page] = { ...label, records };
      }
      return { ...state, fields: action.fields, labels };
    }
    case "class":
      return { ...state, class: action.class };
    case "remove page": {
      const { [action.page]: _, ...labels } = state.labels;
      return { ...state, pages: state.pages.filter((one) => one !== action.page), labels };
    }
    default:
      return state;
  }
}

function labelled(intent, label, fields) {
  const { records, complete } = label;
  if (intent.want === "label") {
    const wanted = intent.records.map((one) => known(one, fields));
    if (same(wanted, records) && intent.complete === complete) return null;
    return splice(0, records.length, wanted, intent.complete, intent.told);
  }
  const index = intent.anchor ? records.findIndex((one) => matches(one, intent.anchor)) : -1;
  if (intent.want === "drop") {
    return index < 0 ? null : splice(index, index + 1, [], complete, "delete record");
  }
  if (!fields.includes(intent.field)) throw new Unfit(`the field ${intent.field} is no longer there`);
  const before = index < 0 ? known(intent.anchor ?? {}, fields) : records[index];
  const record = withValue(before, intent.field, intent.value);
  if (index >= 0) {
    if (same(record, before)) return null;
    const left = Object.keys(record).length ? [record] : [];
    return splice(index, index + 1, left, complete, intent.told);
  }
  if (records.some((one) => same(one, record))) return null;
  const at = position(records, record);
  return splice(at, at, [record], complete, intent.told);
}

function splice(start, end, records, complete, told) {
  return { start, end, records, complete, told };
}

function known(record, fields) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)));
}

function renamed(record, { fields, renamed: names = {} }) {
  const moved = Object.entries(record).map(([field, value]) => [names[field] ?? field, value]);
  return Object.fromEntries(moved.filter(([field]) => fields.includes(field)));
}
