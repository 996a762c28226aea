/** The list of all projects: open, rename, copy and delete them. */
import * as api from "./api.js";
import { fill, h } from "./dom.js";

export class ProjectList {
  /** @param {{messages, names(): Promise<string[]>, renamed(name, newName)}} context */
  constructor(parts, context) {
    this.parts = parts;
    this.context = context;
  }

  show(names) {
    this.names = names;
    this.parts.projects.hidden = !names.length;
    fill(this.parts["project-list"], names.map((name) => this.#item(name)));
  }

  #item(name) {
    const button = (title, label, action) =>
      h("button", { type: "button", class: "quiet", "aria-label": `${title} ${name}`, title, "data-key": `${title} ${name}`, onclick: action }, label);
    return h(
      "li",
      {},
      h("a", { href: `#${encodeURIComponent(name)}` }, name),
      button("Rename", "Rename", () => this.#rename(name)),
      button("Copy", "Copy", () => this.#copy(name)),
      button("Delete", "×", () => this.#delete(name)),
    );
  }

  async #rename(name) {
    const newName = await this.#askForName(`Rename ${name}`, "Rename", name);
    if (!newName || newName === name) return;
    if (await this.#attempt(api.renameProject(name, newName))) this.context.renamed(name, newName);
    await this.context.names();
  }

  async #copy(name) {
    let free = `${name} copy`;
    for (let number = 2; this.names.includes(free); number++) free = `${name} copy ${number}`;
    const newName = await this.#askForName(`Copy ${name}`, "Copy", free);
    if (!newName) return;
    await this.#attempt(api.copyProject(name, newName));
    await this.context.names();
  }

  async #delete(name) {
    const { deleting, "delete-name": title } = this.parts;
    title.textContent = name;
    if ((await answered(deleting)) !== "delete") return;
    await this.#attempt(api.deleteProject(name));
    await this.context.names();
  }

  /** The name that the person types; null if they cancel. */
  async #askForName(title, action, name) {
    const { naming, "naming-title": heading, "naming-button": button, "new-name": input } = this.parts;
    heading.textContent = title;
    button.textContent = action;
    input.value = name;
    const answer = answered(naming);
    input.select();
    return (await answer) === "name" ? input.value.trim() : null;
  }

  async #attempt(call) {
    try {
      return await call;
    } catch (error) {
      this.context.messages.show(`This failed: ${error.message}.`, "error");
      return null;
    }
  }
}

/** Show a dialog; the value of the button that closes it. */
function answered(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => (dialog.onclose = () => resolve(dialog.returnValue)));
}
