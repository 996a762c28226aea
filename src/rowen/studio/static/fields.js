/** The list of fields with their colours and keys. Fields can be added, renamed, reordered and removed. */
import { fillChanged, find, h, kbd } from "./dom.js";
import { isColumn } from "./records.js";

export class Fields {
  /**
   * @param {HTMLElement} container
   * @param {{change(fields, renamed), mark(field), recognize(field, name)}} callbacks
   */
  constructor(container, callbacks) {
    this.container = container;
    this.callbacks = callbacks;
    this.editing = null;
    this.list = h("ol", { class: "fields", "aria-label": "Fields" });
    /** The key of the button that is pressed while a name is edited: a new name draws the list anew, and the click would be lost. */
    this.pressed = null;
    this.list.addEventListener("pointerdown", ({ target }) => (this.pressed = this.editing && target.closest("button")?.dataset.key));
    this.input = h("input", {
      id: "new-field",
      placeholder: "Add a field",
      maxLength: 100,
      autocomplete: "off",
      "aria-label": "Name of a new field",
    });
    const form = h("form", { class: "adding" }, this.input, h("button", { type: "submit" }, "Add"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = this.input.value.trim();
      if (name) this.callbacks.change([...this.fields, name], {});
      this.input.value = "";
    });
    container.append(h("h2", {}, "Fields"), this.list, form);
  }

  show(fields, { recognizers, chosen, next }) {
    this.fields = fields;
    this.next = next;
    this.recognizers = recognizers;
    this.chosen = chosen;
    this.#draw();
  }

  #draw() {
    const { fields, chosen, editing, next } = this;
    fillChanged(this.list, [fields, chosen, editing, next], () => fields.map((field, number) => this.#item(field, number)));
  }

  #item(field, number) {
    if (this.editing === field) return this.#editor(field, number);
    const key = number < 9 ? String(number + 1) : "";
    const name = h(
      "button",
      {
        type: "button",
        class: "field-name",
        "data-key": `mark ${field}`,
        "aria-pressed": String(this.next === field),
        title: `${this.next === field ? `The next click on the page marks ${field}` : `Mark the selected text or the next click as ${field}`}${key ? ` (${key})` : ""}; double-click to rename`,
        onmousedown: (event) => event.preventDefault(), // else the click would clear the selection that is to be marked
        onclick: () => this.callbacks.mark(field),
        ondblclick: () => this.#edit(field),
      },
      h("span", { class: "swatch", style: { "--color": `var(--field-${number % 9})` } }, key || "•"),
      h("span", { class: "text" }, field),
      this.chosen[field] && h("span", { class: "tag", title: "Recognizer" }, this.chosen[field]),
    );
    return h("li", {}, name, this.#menu(field, number));
  }

  #menu(field, number) {
    const item = (text, action, disabled = false) =>
      h("button", { type: "button", disabled, onclick: () => (close(), action()) }, text);
    const id = `field-menu-${number}`;
    const close = () => menu.hidePopover();
    const select = h(
      "select",
      {
        "aria-label": `Recognizer for ${field}`,
        onchange: (event) => (close(), this.callbacks.recognize(field, event.target.value)),
      },
      h("option", { value: "" }, "none"),
      this.recognizers.map((name) => h("option", { value: name, selected: this.chosen[field] === name }, name)),
    );
    const menu = h(
      "div",
      { class: "menu", id, popover: "auto" },
      item("Rename", () => this.#edit(field)),
      !isColumn(field) && item("Make it a list", () => this.#edit(field, this.#columnOf(field))),
      item("Move up", () => this.#move(number, -1), number === 0),
      item("Move down", () => this.#move(number, 1), number === this.fields.length - 1),
      item("Remove", () => this.callbacks.change(this.fields.filter((name) => name !== field), {})),
      h("label", {}, "Find by recognizer ", select),
    );
    const button = h(
      "button",
      { type: "button", class: "quiet more", "data-key": `menu ${field}`, "aria-label": `Change ${field}`, popoverTargetElement: menu },
      "⋯",
    );
    menu.addEventListener("beforetoggle", (event) => {
      if (event.newState !== "open") return;
      // Browsers put a popover in the middle of the window; the menu belongs below its button.
      const box = button.getBoundingClientRect();
      menu.style.left = `${box.left}px`;
      menu.style.top = `${box.bottom + 4}px`;
    });
    return [button, menu];
  }

  #move(number, by) {
    const fields = [...this.fields];
    fields.splice(number + by, 0, ...fields.splice(number, 1));
    this.callbacks.change(fields, {});
  }

  /** Let a person type another name; `name` is offered. */
  #edit(field, name = field) {
    this.editing = field;
    this.#draw();
    const input = this.list.querySelector("input");
    if (!input) return;
    input.value = name;
    input.select();
    if (name !== field) input.setSelectionRange(0, name.indexOf("."));
  }

  /** A name for a field as a column of a list inside the record: of the list that there is, or of a new one. */
  #columnOf(field) {
    const list = this.fields.find(isColumn)?.split(".")[0] ?? "list";
    return `${list}.${field.replaceAll(".", " ")}`;
  }

  /** Click the successor of a button, after the mouse button is up: that would close a menu. */
  #pressAgain(key) {
    this.pressed = null;
    addEventListener("pointerup", () => setTimeout(() => find(this.list, key)?.click()), { once: true });
  }

  #editor(field, number) {
    const end = (name) => {
      if (this.editing !== field) return;
      this.editing = null;
      if (name && name !== field) {
        if (this.pressed) this.#pressAgain(this.pressed);
        const fields = this.fields.map((old) => (old === field ? name : old));
        this.callbacks.change(fields, { [field]: name });
      } else {
        this.#draw();
      }
    };
    const input = h("input", {
      value: field,
      maxLength: 100,
      "data-key": `edit ${field}`,
      "aria-label": `New name of ${field}`,
      onblur: () => end(input.value.trim()),
      onkeydown: (event) => {
        if (event.key === "Enter") end(input.value.trim());
        else if (event.key === "Escape") end("");
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    return h("li", {}, h("span", { class: "swatch", style: { "--color": `var(--field-${number % 9})` } }), input);
  }
}

/** Buttons that mark the selection, for people who use a mouse. */
export function markButtons(fields, mark) {
  return fields.map((field, number) => markButton(field, number, { text: field, class: "chip" }, mark));
}

/** A button that marks as a new field. */
export function newFieldButton(field, number, mark) {
  return markButton(field, number, { text: `+ ${field}`, class: "chip new", title: "Add this field, and mark the selection as its value" }, mark);
}

function markButton(field, number, { text, ...look }, mark) {
  return h(
    "button",
    {
      type: "button",
      ...look,
      style: { "--color": `var(--field-${number % 9})` },
      onmousedown: (event) => event.preventDefault(), // the selection stays
      onclick: () => mark(field),
    },
    number < 9 ? kbd(String(number + 1)) : null,
    text,
  );
}
