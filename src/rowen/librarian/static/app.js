/** The library: the list of papers, or one paper. The address's hash names the paper. */
import { fill, h, kbd, stateOf } from "../../studio/static/dom.js";
import { takesKeys } from "../../studio/static/keys.js";
import { Messages } from "../../studio/static/messages.js";
import { listenPlaces, placeKeys, showAccount, showPlaces } from "../../studio/static/shell.js";
import { askToSignIn } from "../../studio/static/signing.js";
import * as api from "./api.js";
import { dropped, readable } from "./dropped.js";
import { List } from "./list.js";
import { Outbox } from "./outbox.js";
import { Paper } from "./paper.js";
import { Progress } from "./progress.js";
import { Watch } from "./watch.js";

const KEYS = [
  [[kbd("/")], "Search"],
  [[kbd("j"), " ", kbd("k")], "Next and previous paper"],
  [[kbd("Enter")], "Open the paper"],
  [[kbd("x")], "Select the paper, or not"],
  [[kbd("*")], "Select all papers of the list"],
  [[kbd("u")], "Add papers"],
  [[kbd("e")], "Export"],
  [[kbd("l")], "From a paper back to the list"],
  [[kbd("?")], "This help"],
];

const parts = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (element) => [element.id, element]));
const messages = new Messages(parts.messages, parts.banner);
const panel = h("section", { class: "card progress", "aria-label": "Progress", hidden: true });
const place = h("div", { class: "place" });
const progress = new Progress(panel, {
  retry: () => api.retry().catch((error) => messages.show(`This failed: ${error.message}.`, "error")),
  clear: () => outbox.clear(),
  showFailed,
});
const outbox = new Outbox({ changed: (state) => progress.setSent(state) });
const watch = new Watch({ changed: queueChanged, lost: () => progress.setLost() });
let view, revision;

async function start() {
  try {
    queueChanged(await api.queue());
  } catch (error) {
    if (error.status === 401) {
      askToSignIn(parts.screen, start);
      return;
    }
    progress.setLost();
  }
  showAccount(parts.account);
  fill(parts.screen, h("div", { class: "library" }, panel, place));
  watch.start();
  await outbox.start();
  await go();
}

/** Show the list, or the paper that the address names. */
async function go() {
  const id = location.hash.slice(1);
  view?.close?.();
  const opened = (view = id ? new Paper(place, { id, messages }) : new List(place, { messages, choose }));
  document.title = "Library – Rowen";
  fill(place, stateOf({ kind: "loading", title: "Library…" }));
  try {
    await opened.show();
  } catch (error) {
    if (view !== opened) return; // somebody has gone on meanwhile
    const again = h("button", { type: "button", onclick: go }, "Try again");
    const back = id && h("a", { href: "#" }, "Back to the library");
    fill(place, stateOf({ kind: "failed", sign: "!", title: "This can't be shown", text: `${error.message}.` }, again, back));
  }
}

function queueChanged(state) {
  progress.setQueue(state);
  if (revision !== undefined && revision !== state.revision) view?.refresh?.();
  revision = state.revision;
}

/** Show the papers that can't be read. */
function showFailed() {
  const failed = { query: "", facets: { state: ["failed"] } };
  if (view instanceof List) {
    view.search.value = "";
    view.narrow(failed);
    return;
  }
  const remembered = JSON.parse(sessionStorage.getItem("rowen-library") ?? "{}");
  sessionStorage.setItem("rowen-library", JSON.stringify({ ...remembered, chosen: failed }));
  location.hash = "";
}

function choose(kind) {
  parts[kind].click();
}

async function add(files) {
  if (!files.length) {
    messages.show("There is no paper among these files: PDF, HTML, XML, TeX, text or zip.", "warning");
    return;
  }
  await outbox.put(files);
}

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target, event.key) || document.querySelector("dialog[open]")) return;
  if (event.key === "?") {
    event.preventDefault();
    parts.help.showModal();
  } else if (event.key === "l" && view instanceof Paper) location.hash = "";
}

showPlaces(parts.places, "library");
fill(parts["help-keys"], h("dl", { class: "keys" }, [...placeKeys(), ...KEYS].map(([key, text]) => [h("dt", {}, key), h("dd", {}, text)])));
parts["help-button"].addEventListener("click", () => parts.help.showModal());
parts.files.addEventListener("change", () => (add([...parts.files.files]), (parts.files.value = "")));
parts.folder.addEventListener("change", () => (add(readable(parts.folder.files)), (parts.folder.value = "")));
document.addEventListener("keydown", press);
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  parts.drop.hidden = !event.dataTransfer.types.includes("Files");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) parts.drop.hidden = true;
});
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  parts.drop.hidden = true;
  await add(await dropped(event.dataTransfer));
});
window.addEventListener("hashchange", () => (messages.clear(), go()));
listenPlaces();
start();
