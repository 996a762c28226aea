/**
 * Intents: what a person wants to change, as data. An intent is kept until the server has it, and still makes
 * sense after another window has changed the project. `applied` is the reducer: tests/studio/reducer.json
 * specifies it for the browser and for the server (studio/actions.py). `told` names the change for undo and redo;
 * the key is part of the saved history.
 *
 * @typedef {{want: "set", page, anchor: Marks | null, field, value, adds?: string[], told}
 *         | {want: "drop", page, anchor: Marks}
 *         | {want: "label", page, records: Marks[], complete: boolean, told}
 *         | {want: "action", action: object}
 *         | {want: "undo"} | {want: "redo"}} Intent
 */
import { matches, position, same, withValue } from "./records.js";

/** The intent is no longer possible. */
export class Unfit extends Error {}

/**
 * The action that an intent means for a state; null if nothing has to change.
 *
 * @param {Intent} intent
 */
export function actionFor(intent, state) {
  if (intent.want === "action") return same(applied(state, intent.action), state) ? null : intent.action;
  if (!state.pages.includes(intent.page)) throw new Unfit(`the page ${intent.page} was removed`);
  const label = state.labels[intent.page] ?? { records: [], complete: false };
  const adds = intent.adds?.filter((field) => !state.fields.includes(field)) ?? [];
  const splice = spliceFor(intent, label, [...state.fields, ...adds]);
  return splice && { do: "splice", page: intent.page, ...splice, ...(adds.length ? { adds } : {}) };
}

/** The state after an action, as the server will compute it. */
export function applied(state, action) {
  switch (action.do) {
    case "splice": {
      const label = state.labels[action.page] ?? { records: [], complete: false };
      const records = label.records.toSpliced(action.start, action.end - action.start, ...action.records);
      // Marking a value of a deleted record takes its deletion back.
      const rejected = (label.rejected ?? []).filter((deleted) => !action.records.some((record) => matches(record, deleted)));
      const fields = action.adds?.length ? [...state.fields, ...action.adds] : state.fields;
      return { ...state, fields, labels: { ...state.labels, [action.page]: labelOf(records, action.complete, rejected) } };
    }
    case "reject": {
      const { records, complete, rejected = [] } = state.labels[action.page] ?? { records: [], complete: false };
      if (rejected.some((deleted) => same(deleted, action.record))) return state;
      return { ...state, labels: { ...state.labels, [action.page]: labelOf(records, complete, [...rejected, action.record]) } };
    }
    case "fields": {
      const labels = {};
      for (const [page, label] of Object.entries(state.labels)) {
        const records = label.records.map((record) => renamed(record, action));
        const rejected = (label.rejected ?? []).map((record) => renamed(record, action)).filter((record) => Object.keys(record).length);
        labels[page] = labelOf(records, label.complete, rejected);
      }
      return { ...state, fields: action.fields, labels, types: renamed(state.types ?? {}, action) };
    }
    case "types":
      return { ...state, types: action.types };
    case "table":
      return { ...state, fields: action.fields, types: action.types ?? {}, labels: {} };
    case "class":
      return { ...state, class: action.class };
    case "add page":
      return { ...state, pages: [...state.pages, action.page] };
    case "remove page": {
      const { [action.page]: _, ...labels } = state.labels;
      return { ...state, pages: state.pages.filter((page) => page !== action.page), labels };
    }
    default:
      return state;
  }
}

/** A label as the server writes it: deleted records only where there are some. */
function labelOf(records, complete, rejected) {
  return rejected.length ? { records, complete, rejected } : { records, complete };
}

/** The splice of a page's label that an intent means; null if nothing has to change. */
function spliceFor(intent, label, fields) {
  const { records } = label;
  if (intent.want === "label") {
    const replacements = intent.records.map((record) => withoutRemoved(record, fields));
    if (same(replacements, records) && intent.complete === label.complete) return null;
    return splice(0, records.length, replacements, intent.complete, intent.told);
  }
  const index = intent.anchor ? records.findIndex((record) => matches(record, intent.anchor)) : -1;
  if (intent.want === "drop") {
    return index < 0 ? null : splice(index, index + 1, [], label.complete, "delete record");
  }
  if (!fields.includes(intent.field)) throw new Unfit(`the field ${intent.field} was removed`);
  const before = index < 0 ? withoutRemoved(intent.anchor ?? {}, fields) : records[index];
  const record = withValue(before, intent.field, intent.value);
  // A page that was accepted without records has one after all: it may have more.
  const complete = label.complete && records.length > 0;
  if (index >= 0) {
    if (same(record, before)) return null;
    const replacement = Object.keys(record).length ? [record] : []; // a record without values is deleted
    return splice(index, index + 1, replacement, complete, intent.told);
  }
  if (records.some((existing) => same(existing, record))) return null;
  const at = position(records, record);
  return splice(at, at, [record], complete, intent.told);
}

function splice(start, end, records, complete, description) {
  return { start, end, records, complete, told: description };
}

/** A record without the fields that another window has removed. */
function withoutRemoved(record, fields) {
  return Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)));
}

function renamed(record, { fields, renamed: names = {} }) {
  const entries = Object.entries(record).map(([field, value]) => [names[field] ?? field, value]);
  return Object.fromEntries(entries.filter(([field]) => fields.includes(field)));
}
