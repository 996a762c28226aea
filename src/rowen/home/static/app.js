/** The screens beside studio and library. The address's hash names the screen: `#/operations/STORE`. */
import { fill, h, kbd, stateOf } from "../../studio/static/dom.js";
import { takesKeys } from "../../studio/static/keys.js";
import { Messages } from "../../studio/static/messages.js";
import { listenPlaces, placeKeys, showAccount, showPlaces } from "../../studio/static/shell.js";
import { askToSignIn } from "../../studio/static/signing.js";
import { Extractors } from "./extractors.js";
import { Home } from "./home.js";
import { Operations } from "./operations.js";

/** By the first part of the hash. */
const SCREENS = {
  "": { place: "home", title: "Home", View: Home },
  extractors: { place: "extractors", title: "Extractors", View: Extractors },
  operations: { place: "operations", title: "Operations", View: Operations },
};

const parts = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (element) => [element.id, element]));
const messages = new Messages(parts.messages, parts.banner);
let view;

/** Show what the address's hash names. */
async function go() {
  const [name, ...path] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const { place, title, View } = SCREENS[name] ?? SCREENS[""];
  showPlaces(parts.places, place);
  document.title = name ? `${title} – Rowen` : "Rowen";
  view?.close?.();
  const opened = (view = new View(parts.screen, { path, messages }));
  fill(parts.screen, stateOf({ kind: "loading", title: `${title}…` }));
  try {
    await opened.show();
  } catch (error) {
    if (view !== opened) return; // somebody has gone on meanwhile
    if (error.status === 401) askToSignIn(parts.screen, go);
    else fail(error);
    return;
  }
  showAccount(parts.account);
}

function fail(error) {
  const again = h("button", { type: "button", onclick: go }, "Try again");
  fill(parts.screen, stateOf({ kind: "failed", sign: "!", title: "This can't be shown", text: `${error.message}.` }, again));
}

/** `/` goes to the search of the screen, if it has one. */
function toSearch(event) {
  const field = parts.screen.querySelector("input[type=search]");
  if (event.key !== "/" || !field || takesKeys(event.target, event.key) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  field.focus();
}

function showHelp(event) {
  if (event.key !== "?" || event.defaultPrevented || takesKeys(event.target, event.key) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  parts.help.showModal();
}

const keys = [...placeKeys(), [[kbd("/")], "Search"], [[kbd("?")], "This help"]];
fill(parts["help-keys"], h("dl", { class: "keys" }, keys.map(([key, text]) => [h("dt", {}, key), h("dd", {}, text)])));
parts["help-button"].addEventListener("click", () => parts.help.showModal());
document.addEventListener("keydown", showHelp);
document.addEventListener("keydown", toSearch);
window.addEventListener("hashchange", () => (messages.clear(), go()));
listenPlaces();
go();
