/** Home: what is here, what happened last, and what to do next. */
import { counted, fill, h } from "../../studio/static/dom.js";
import { address } from "../../studio/static/shell.js";
import { alarmLine } from "./alarms.js";
import * as api from "./api.js";
import { follow } from "./live.js";
import { runTable } from "./run-table.js";
import { ago } from "./times.js";

const project = (name, screen = "") => address(`studio#${encodeURIComponent(name)}${screen}`);

export class Home {
  constructor(container, { messages }) {
    this.container = container;
    this.messages = messages;
  }

  async show() {
    await this.draw();
    this.leave = follow(() => this.draw().catch(() => null)); // the next change tries again
  }

  close() {
    this.leave?.();
  }

  async draw() {
    const [overview, papers] = await Promise.all([api.overview(), api.papers()]);
    const { projects, extractors, stores } = overview;
    const isEmpty = !projects.count && !extractors.length && !stores.length && !papers.count;
    fill(this.container, h("div", { class: "home" }, isEmpty ? this.welcome() : this.summary(overview, papers)));
  }

  /** What an empty installation says of itself. */
  welcome() {
    return h(
      "section",
      { class: "card hero" },
      h("h1", {}, "From pages and papers to data"),
      h("p", {}, "Rowen turns web pages and papers into tables of records. "),
      h("p", {}, "You mark a few values on a few pages; it learns to extract them from all the others, and says how sure it is. "),
      h("p", {}, "Every night it extracts only what has changed, and raises an alarm when a site was redesigned."),
      h(
        "p",
        { class: "buttons" },
        h("a", { class: "button primary", href: address("studio") }, "Open web pages"),
        h("a", { class: "button", href: address("library") }, "Read papers"),
        h("button", { type: "button", "data-key": "sample", onclick: () => this.sample() }, "Try it with sample pages"),
      ),
    );
  }

  summary({ projects, extractors, stores }, papers) {
    return [
      h("h1", { class: "hidden" }, "Home"),
      h(
        "ul",
        { class: "tiles" },
        tile(projects.count, "project", address("studio")),
        tile(extractors.length, "extractor", address("#/extractors")),
        tile(papers.count, "paper", address("library")),
        tile(stores.length, "store", address("#/operations")),
      ),
      this.attention(stores, papers),
      stores.some(({ last }) => last) && this.runs(stores),
      this.projects(projects),
    ];
  }

  attention(stores, papers) {
    const lines = [
      ...stores.flatMap((store) => store.alarms.map((alarm) => alarmLine(alarm, store, this.messages))),
      ...stores.filter(({ error }) => error).map(({ name, error }) => h("li", { class: "alarm" }, h("div", {}, h("b", {}, `${name} can't be read`), h("p", { class: "quiet" }, error)))),
      papers.failed > 0 && h("li", { class: "note" }, h("div", {}, h("b", {}, `${counted(papers.failed, "paper")} could not be read`)), h("a", { class: "button", href: address("library") }, "Show them")),
      ...stores
        .filter(({ last }) => last?.failed || last?.unreadable)
        .map(({ name, last }) => h("li", { class: "note" }, h("div", {}, h("b", {}, `${counted(last.failed + last.unreadable, "page")} failed`), ` in run ${last.number} of ${name}, `, ago(last.created)))),
    ].filter(Boolean);
    return h(
      "section",
      { class: "card", "aria-labelledby": "attention" },
      h("h2", { id: "attention" }, "Needs attention"),
      lines.length ? h("ul", { class: "attention" }, lines) : h("p", { class: "good" }, "Nothing: every wrapper fits, and no page failed."),
    );
  }

  runs(stores) {
    const runs = stores.filter(({ last }) => last).map((store) => ({ ...store.last, store }));
    runs.sort((a, b) => b.created.localeCompare(a.created));
    return h("section", { class: "card", "aria-labelledby": "last-runs" }, h("h2", { id: "last-runs" }, "Last runs"), runTable("Last runs", runs, { withStore: true }));
  }

  projects({ count, latest }) {
    return h(
      "section",
      { class: "card", "aria-labelledby": "home-projects" },
      h("h2", { id: "home-projects" }, count > latest.length ? `Projects: the last ${latest.length} of ${count}` : "Projects"),
      latest.length
        ? h("ul", { class: "rows" }, latest.map(projectLine))
        : h(
            "p",
            {},
            "None yet. ",
            h("a", { href: address("studio") }, "Open some pages in the studio"),
            ", or ",
            h("button", { type: "button", class: "link", "data-key": "sample", onclick: () => this.sample() }, "try it with sample pages"),
            ".",
          ),
    );
  }

  async sample() {
    try {
      location.href = project((await api.samplePages()).project);
    } catch (error) {
      this.messages.show(`This failed: ${error.message}.`, "error");
    }
  }
}

function tile(count, noun, href) {
  return h("li", {}, h("a", { href }, h("b", {}, count.toLocaleString("en")), ` ${noun}${count === 1 ? "" : "s"}`));
}

/** A project with its state, and the step that comes next. */
function projectLine({ name, changed, pages, fields, marked, published }) {
  const state = published ? `published as ${published.name}, version ${published.number}` : marked ? `${counted(fields.length, "field")} marked, not published` : counted(pages, "page");
  const [next, screen] = published ? ["Check new pages", "/~drift"] : marked ? ["Publish", "/~publish"] : pages ? ["Mark values", ""] : ["Add pages", ""];
  return h(
    "li",
    {},
    h("a", { class: "name", href: project(name) }, name),
    h("span", { class: "quiet" }, state, ", ", ago(changed)),
    h("a", { class: "button", href: project(name, screen), "aria-label": `${next}: ${name}` }, next),
  );
}
