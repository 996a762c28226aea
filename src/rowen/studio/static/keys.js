/** The keys, and the page of help that lists them. */
import { h, kbd } from "./dom.js";

const HELP = [
  ["Mark", [
    ["1 – 9", "Mark the selected text as a field"],
    ["Alt 1 – 9", "The same, exactly as selected"],
    ["Shift 1 – 9", "Add one more value to the record's field"],
    ["/", "Find text on the page, to mark it without a mouse"],
    ["A  D  Shift A", "Accept, drop, accept all that a recognizer found"],
  ]],
  ["Look and correct", [
    ["J K ↓ ↑", "Next and previous record"],
    ["Tab ← →", "Next and previous field"],
    ["F2", "Correct the value: type it as it stands on the page"],
    ["M", "The field is missing from this record"],
    ["Delete", "Remove the value, or the record where its number is chosen"],
    ["Shift Delete", "Delete the record"],
  ]],
  ["Go on", [
    ["Enter", "Accept this page and go to the least certain one"],
    ["Shift Enter", "Take back that this page is accepted; its records stay marked"],
    ["N  P", "Next and previous page"],
    ["U  Ctrl Z", "Undo"],
    ["Ctrl Shift Z", "Redo"],
  ]],
  ["Windows", [
    ["S", "Source beside the page"],
    ["W", "Wrapper panel"],
    ["T", "Table of this page or of all pages"],
    ["F", "Add a field"],
    ["O", "Open files"],
    ["?", "This help"],
  ]],
];

/** What a key asks for, or null; digits come with their number and how the selection is taken. */
export function commandOf(event) {
  const { key, code, altKey, shiftKey } = event;
  const control = event.ctrlKey || event.metaKey;
  if (control && !altKey && key.toLowerCase() === "z") return { name: shiftKey ? "redo" : "undo" };
  if (control && !altKey && key.toLowerCase() === "y") return { name: "redo" };
  if (control) return null;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return { name: "mark", number: Number(digit[1]) - 1, exact: altKey, add: shiftKey };
  if (altKey) return null;
  if (key === "Delete" || key === "Backspace") return { name: shiftKey ? "drop" : "remove" };
  if (shiftKey && key === "Enter") return { name: "reopen" };
  if (shiftKey && key.toLowerCase() === "a") return { name: "acceptAll" };
  return NAMES[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

const NAMES = Object.fromEntries(
  Object.entries({
    Enter: "accept", j: "down", k: "up", ArrowDown: "arrowDown", ArrowUp: "arrowUp", ArrowRight: "right",
    ArrowLeft: "left", Tab: "tab", m: "missing", u: "undo", n: "next", p: "previous", s: "source", w: "panel", t: "scope", f: "field",
    o: "open", "?": "help", "/": "find", a: "acceptFound", d: "dropFound", F2: "edit", Escape: "escape",
  }).map(([key, name]) => [key, { name }]),
);

/** Whether an element takes keys for itself. */
export function takesKeys(element, key) {
  if (!element) return false;
  if (element.matches("input:not([type=checkbox]), select, textarea") || element.isContentEditable) return true;
  const presses = key === "Enter" || key === " ";
  return presses && element.matches("button, a, summary, input");
}

/** The help's content. */
export function help() {
  return HELP.map(([title, keys]) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h("dl", {}, keys.map(([key, text]) => [h("dt", {}, key.split("  ").map((one) => [kbd(one), " "])), h("dd", {}, text)])),
    ),
  );
}
