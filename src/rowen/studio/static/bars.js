/** The bars around the page: its name and "Accept", the fields for a selection, and whether all is saved. */
import { counted, fill, h } from "./dom.js";
import { markButtons, newFieldButton } from "./fields.js";

/** Show the page's name and number, and the button that accepts it. */
export function drawBar(parts, { page, pages, rows, complete }) {
  const number = pages.indexOf(page) + 1;
  parts.title.textContent = page ?? "No page";
  for (const turn of ["previous-page", "next-page"]) parts[turn].hidden = pages.length < 2;
  parts.place.textContent = number ? `${number} of ${pages.length}` : "";
  parts.accept.disabled = !page;
  parts.accept.classList.toggle("done", complete);
  parts.accept.classList.toggle("primary", rows.length > 0); // before there are records, the next step is another
  parts.accept.title = complete ? "Undo accept (Shift+Enter)" : "Accept this page and go on (Enter)";
  fill(
    parts.accept,
    complete ? "Accepted" : `Accept ${rows.length ? counted(rows.length, "record") : "page"}`,
    " ",
    h("kbd", {}, "⏎"),
  );
}

/** Offer the data: as the next step when all pages are accepted, and at any time before. */
export function drawData(parts, { state, rows }) {
  const isChecked = state.pages.length > 0 && state.pages.every((page) => state.labels[page]?.complete);
  const button = parts["get-data"];
  button.disabled = !rows;
  button.classList.toggle("primary", isChecked);
  button.title = rows ? "All records as CSV, Excel, JSON or Parquet (G)" : "Mark a record or take a suggested table first";
}

/** Offer the fields for what is selected, and a new one. */
export function drawSelection(parts, { selection, fields, added, mark }) {
  parts.selection.hidden = !selection;
  if (!selection) return;
  fill(
    parts.selection,
    h("span", {}, "Mark as"),
    ...markButtons(fields, mark),
    added && newFieldButton(added, fields.length, mark),
  );
}

/** Say whether all changes are saved, and what can be undone. */
export function drawSaved(parts, { session, learner, messages }) {
  const { server, waiting, blocked } = session;
  parts.saved.textContent = blocked ? `${waiting.length} not saved` : waiting.length ? "Saving…" : "Saved";
  parts.saved.classList.toggle("failing", Boolean(blocked));
  parts.undo.disabled = !server.undo && !waiting.length;
  parts.undo.title = server.undo ? `Undo: ${server.undo} (U)` : "Undo (U)";
  parts.redo.disabled = !server.redo;
  parts.redo.title = server.redo ? `Redo: ${server.redo} (Ctrl+Shift+Z)` : "Redo (Ctrl+Shift+Z)";
  const retry = h("button", { type: "button", onclick: () => session.retryNow() }, "Try now");
  const discard = h("button", { type: "button", onclick: () => session.discard() }, "Discard the change");
  if (blocked?.reason) messages.showBanner(`This can't be saved: ${blocked.reason}. The studio keeps the change and tries again.`, retry, discard);
  else if (blocked) messages.showBanner(`The server can't be reached. ${counted(waiting.length, "change")} kept in this window; they are sent when it is back.`, retry);
  else if (learner.gone) messages.showBanner("The server can't be reached. You can go on marking: this window keeps your changes.");
  else messages.showBanner(null);
}
