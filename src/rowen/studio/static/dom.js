/** Creates elements, and replaces them without losing the focus. */

/**
 * Create an element with properties, and with children that may be strings, lists or nothing.
 *
 * Properties that begin with `on` are listeners; `class`, `role`, `for` and names with a dash are attributes.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, setting] of Object.entries(value)) element.style.setProperty(key, setting);
    else if (name === "class" || name === "role" || name === "for" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...present(children));
  return element;
}

/** Replace an element's children. If the focused child has a `data-key`, its successor gets the focus. */
export function fill(container, ...children) {
  const active = document.activeElement;
  const key = container.contains(active) ? active.dataset.key : undefined;
  container.replaceChildren(...present(children));
  if (key !== undefined) find(container, key)?.focus({ preventScroll: true });
}

/** What each container shows, as JSON. */
const drawn = new WeakMap();

/** Replace an element's children only if `shown` has changed: otherwise an open menu in it would close. */
export function fillChanged(container, shown, make) {
  const text = JSON.stringify(shown);
  if (drawn.get(container) === text) return;
  drawn.set(container, text);
  fill(container, make());
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** The element with this `data-key`. */
export function find(container, key) {
  return container.querySelector(`[data-key="${CSS.escape(key)}"]`);
}

/** Run a function after the browser has painted. A frame's callback runs before painting, a message after. */
export function afterPaint(act) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  });
}

/** A keyboard key. */
export function kbd(text) {
  return h("kbd", {}, text);
}

/** "1 record", "2 records". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** What a part shows where there is nothing, nothing yet, or an error. @param {{kind, sign, title, text}} state `text` may have elements in it */
export function stateOf({ kind = "", sign = "", title, text = "" }, ...buttons) {
  return h(
    "div",
    { class: `state ${kind}`, "data-sign": sign, role: kind === "failed" ? "alert" : "status" },
    h("h2", {}, title),
    text && h("p", {}, ...[text].flat()),
    buttons.length > 0 && h("p", { class: "buttons" }, ...buttons),
  );
}
