/** Papers: a document with what was extracted from it, and the earlier document that it nearly duplicates. */
import * as api from "./api.js";
import { fill, h } from "./dom.js";

/** The key in local storage of the papers that were opened last. */
const RECENT = "rowen-papers";
const MOST_RECENT = 20;

export class Papers {
  constructor(container, { messages }) {
    this.container = container;
    this.messages = messages;
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
    this.frame = h("iframe", { class: "paper", title: "The paper with what was extracted", hidden: true, sandbox: "allow-scripts" });
    fill(
      this.container,
      h(
        "div",
        { class: "papers" },
        h(
          "section",
          { class: "card", "aria-label": "Papers" },
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
      } catch (error) {
        this.messages.show(error.message, "error");
      }
    }
  }

  fillList() {
    fill(
      this.list,
      recent().map((paper) =>
        h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.open(paper) }, paper.name)),
      ),
    );
  }

  /** Show a paper, and link the earlier document if this one is a near-duplicate. */
  async open({ id }) {
    this.frame.hidden = false;
    fill(this.about);
    try {
      this.frame.src = `studio/papers/${id}`;
      const reuse = await api.reuse(id);
      if (reuse?.startsWith("near")) {
        const near = Object.fromEntries(reuse.split(";").slice(1).map((part) => part.trim().split("=")));
        fill(
          this.about,
          `A near-duplicate of an earlier document (similarity ${near.similarity}, ${near.distance} bits apart): `,
          h("button", { type: "button", class: "link", onclick: () => this.open({ id: near.source }) }, near.source),
        );
      }
    } catch (error) {
      forget(id);
      this.fillList();
      this.frame.hidden = true;
      this.messages.show(error.message, "error");
    }
  }
}

function recent() {
  try {
    const papers = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(papers) ? papers.filter((paper) => typeof paper?.id === "string") : [];
  } catch { // damaged: begin with an empty list
    return [];
  }
}

function remember(paper) {
  const earlier = recent().filter(({ id }) => id !== paper.id);
  localStorage.setItem(RECENT, JSON.stringify([paper, ...earlier].slice(0, MOST_RECENT)));
}

function forget(id) {
  localStorage.setItem(RECENT, JSON.stringify(recent().filter((paper) => paper.id !== id)));
}
