/** Papers: a PDF beside what was read in it, and documents that it nearly is. */
import * as api from "./api.js";
import { fill, h } from "./dom.js";

const RECENT = "rowen-papers";
const KEPT = 20;

export class Papers {
  constructor(container, { told }) {
    this.container = container;
    this.told = told;
  }

  show() {
    const picker = h("input", {
      type: "file",
      accept: ".pdf,.html,.htm,.txt",
      multiple: true,
      hidden: true,
      onchange: () => this.add(picker.files),
    });
    this.list = h("ul", { class: "plain" });
    this.about = h("p", { class: "quiet", role: "status" });
    this.frame = h("iframe", { class: "paper", title: "The paper with what was found", hidden: true, sandbox: "allow-scripts" });
    fill(
      this.container,
      h(
        "div",
        { class: "papers" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, "Papers"),
          h("p", {}, "Drop papers here, as PDF, HTML or text: header, sections and citations are shown in place."),
          h("button", { type: "button", class: "primary", onclick: () => picker.click() }, "Add papers…"),
          picker,
          this.list,
          this.about,
        ),
        this.frame,
      ),
    );
    this.fillList();
    const [first] = recent();
    if (first) this.open(first);
  }

  async add(files) {
    for (const file of files) {
      try {
        const { id, name } = await api.submit(file);
        remember({ id, name: name || id });
        this.fillList();
        await this.open({ id, name });
      } catch (problem) {
        this.told.tell(problem.message, "error");
      }
    }
  }

  fillList() {
    fill(
      this.list,
      recent().map((one) =>
        h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.open(one) }, one.name)),
      ),
    );
  }

  /** Show a paper, and tell whether it is nearly one that was there before. */
  async open({ id }) {
    this.frame.hidden = false;
    fill(this.about);
    try {
      // A frame can't bring a token; what it is given instead works without its script.
      if (api.guarded()) this.frame.srcdoc = await api.paper(id);
      else this.frame.src = `/studio/papers/${id}`;
      const reuse = await api.reuse(id);
      if (reuse?.startsWith("near")) {
        const told = Object.fromEntries(reuse.split(";").slice(1).map((part) => part.trim().split("=")));
        fill(
          this.about,
          `Nearly a document that was there before (similarity ${told.similarity}, ${told.distance} bits apart): `,
          h("button", { type: "button", class: "link", onclick: () => this.open({ id: told.source }) }, told.source),
        );
      }
    } catch (problem) {
      forget(id);
      this.fillList();
      this.frame.hidden = true;
      this.told.tell(problem.message, "error");
    }
  }
}

function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

function remember(paper) {
  const others = recent().filter((one) => one.id !== paper.id);
  localStorage.setItem(RECENT, JSON.stringify([paper, ...others].slice(0, KEPT)));
}

function forget(id) {
  localStorage.setItem(RECENT, JSON.stringify(recent().filter((one) => one.id !== id)));
}
