/** Elements, made and replaced without losing the focus. */

/**
 * An element with properties, and children that may be strings or nothing.
 *
 * Properties that begin with `on` are listeners, `class` and those with a dash are attributes.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "class" || name === "role" || name === "for" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...present(children));
  return element;
}

/** Fill an element anew; what had the focus and has a `data-key` has it afterwards, too. */
export function fill(container, ...children) {
  const active = document.activeElement;
  const key = container.contains(active) ? active.dataset.key : undefined;
  container.replaceChildren(...present(children));
  if (key !== undefined) find(container, key)?.focus({ preventScroll: true });
}

const drawn = new WeakMap();

/** Fill an element anew where what it shows has changed; an open menu in it stays otherwise. */
export function fillChanged(container, shown, make) {
  const told = JSON.stringify(shown);
  if (drawn.get(container) === told) return;
  drawn.set(container, told);
  fill(container, make());
}

function present(children) {
  return children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);
}

/** The element with a `data-key`. */
export function find(container, key) {
  return container.querySelector(`[data-key="${CSS.escape(key)}"]`);
}

/** Do something once the browser has painted what is there now. */
export function afterPaint(act) {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  });
}

/** A key as it is shown. */
export function kbd(text) {
  return h("kbd", {}, text);
}

/** "1 record", "2 records". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
