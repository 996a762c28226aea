/** The keyboard commands, and the help that lists them. */
import { h, kbd } from "./dom.js";

const HELP = [
  ["Mark", [
    ["Click", "Mark what the mouse points at, for the next field"],
    [".  ,", "Point at the next and previous element, without a mouse"],
    ["Space", "Mark what is pointed at"],
    ["X", "Text, link, image or date of what is pointed at"],
    ["1 – 9", "Mark the selected text, or what is pointed at, as a field"],
    ["Alt 1 – 9", "The same, exactly as selected"],
    ["Shift 1 – 9", "Add one more value to the record's field"],
    ["/", "Find text on the page, to mark it without a mouse"],
    ["A  D  Shift A", "Accept, reject, or accept all values that a recognizer found"],
  ]],
  ["Check and correct", [
    ["J K ↓ ↑", "Next and previous record"],
    ["Tab ← →", "Next and previous field"],
    ["F2", "Correct the value: type it as it is on the page"],
    ["M", "Mark the field as missing from this record"],
    ["Delete", "Remove the value, or the record if its number is selected"],
    ["Shift Delete", "Delete the record"],
  ]],
  ["Go on", [
    ["Enter", "Accept this page and go to the least certain one"],
    ["Shift Enter", "Undo accepting this page; its records stay marked"],
    ["N  P", "Next and previous page"],
    ["U  Ctrl Z", "Undo"],
    ["Ctrl Shift Z", "Redo"],
  ]],
  ["Windows", [
    ["G", "Get the data"],
    ["V", "Values in the page's data"],
    ["S", "Source beside the page"],
    ["W", "Steps beside the page"],
    ["T", "Table of this page or of all pages"],
    ["F", "Add a field"],
    ["O", "Open files"],
    ["?", "This help"],
  ]],
];

/** The command of a key, or null. A digit's command has the field's number and how to mark the selection. */
export function commandOf(event) {
  const { key, code, altKey, shiftKey } = event;
  const control = event.ctrlKey || event.metaKey;
  if (control && !altKey && key.toLowerCase() === "z") return { name: shiftKey ? "redo" : "undo" };
  if (control && !altKey && key.toLowerCase() === "y") return { name: "redo" };
  if (control) return null;
  // The code, not the key: with Shift or Alt a digit's key is another character.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return { name: "mark", number: Number(digit[1]) - 1, exact: altKey, add: shiftKey };
  if (altKey) return null;
  if (key === "Delete" || key === "Backspace") return { name: shiftKey ? "drop" : "remove" };
  if (shiftKey && key === "Enter") return { name: "reopen" };
  if (shiftKey && key.toLowerCase() === "a") return { name: "acceptAll" };
  return COMMANDS[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

/** Keys without modifiers, and the commands that they run. */
const COMMANDS = Object.fromEntries(
  Object.entries({
    ".": "pointNext", ",": "pointPrevious", " ": "pick", x: "kind", g: "data", v: "values",
    Enter: "accept", j: "down", k: "up", ArrowDown: "arrowDown", ArrowUp: "arrowUp", ArrowRight: "right",
    ArrowLeft: "left", Tab: "tab", m: "missing", u: "undo", n: "next", p: "previous", s: "source", w: "panel", t: "scope", f: "field",
    o: "open", "?": "help", "/": "find", a: "acceptRecognized", d: "dropRecognized", F2: "edit", Escape: "escape",
  }).map(([key, name]) => [key, { name }]),
);

/** Whether an element needs a key itself: typing in an input, pressing a button. */
export function takesKeys(element, key) {
  if (!element) return false;
  if (element.matches("input:not([type=checkbox]), select, textarea") || element.isContentEditable) return true;
  const presses = key === "Enter" || key === " ";
  return presses && element.matches("button, a, summary, input");
}

/** The content of the help dialog. */
export function help() {
  return HELP.map(([title, keys]) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h("dl", {}, keys.map(([key, text]) => [h("dt", {}, key.split("  ").map((name) => [kbd(name), " "])), h("dd", {}, text)])),
    ),
  );
}
