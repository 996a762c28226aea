/** The navigation that all screens share: the parts of the application, and the keys that lead to them. */
import { fill, h, kbd } from "./dom.js";
import { takesKeys } from "./keys.js";
import { BASE, signOut, whoIs } from "./requests.js";

/** Each part with its address below that of the application, and the key that follows `g`. */
const PLACES = [
  { place: "home", title: "Home", path: "", key: "h" },
  { place: "library", title: "Library", path: "library", key: "l" },
  { place: "studio", title: "Studio", path: "studio", key: "s" },
  { place: "extractors", title: "Extractors", path: "#/extractors", key: "e" },
  { place: "operations", title: "Operations", path: "#/operations", key: "o" },
];

/** How long the second of two keys may take, in milliseconds. */
const PAUSE = 1500;

/** The address of a part, or of a path of the application. */
export const address = (path) => new URL(path, BASE).href;

/** Fill in the links to all parts. */
export function showPlaces(nav, current) {
  fill(
    nav,
    PLACES.map(({ place, title, path }) =>
      h("a", { href: address(path), "aria-current": place === current ? "page" : null, "data-key": `place-${place}` }, title),
    ),
  );
}

/** Say who is signed in, with the way out; nothing where the service needs no access token. */
export async function showAccount(place) {
  const { signed_in: isSignedIn, tenant, role } = await whoIs().catch(() => ({}));
  const leave = async () => {
    await signOut();
    location.href = address("");
  };
  fill(place, isSignedIn && [h("span", { class: "who", title: `Signed in as ${role} of ${tenant}` }, `${tenant}, ${role}`), h("button", { type: "button", class: "quiet", onclick: leave }, "Sign out")]);
}

/** The keys that `listenPlaces` knows, as a list for people. */
export function placeKeys() {
  return PLACES.map(({ title, key }) => [[kbd("g"), " ", kbd(key)], title]);
}

/** Let `g` and another key lead to a part; for screens that need neither key themselves. */
export function listenPlaces() {
  let since = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target, event.key) || document.querySelector("dialog[open]")) return;
    const chosen = PLACES.find(({ key }) => key === event.key);
    if (chosen && performance.now() - since < PAUSE) {
      event.preventDefault();
      location.href = address(chosen.path);
    }
    since = event.key === "g" ? performance.now() : -Infinity;
  });
}
