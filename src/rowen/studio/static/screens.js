/** The screens of the studio other than the desk, and the links to them. */
import { Data } from "./data.js";
import { fill, h } from "./dom.js";
import { Drift } from "./drift.js";
import { Papers } from "./papers.js";
import { Publish } from "./publish.js";

/** By their names in the URL: `#project/~publish`. No page's name can start with a tilde. */
export const SCREENS = {
  data: { part: "data", title: "Data", View: Data, ofProject: true },
  publish: { part: "publish", title: "Publish", View: Publish, ofProject: true },
  drift: { part: "drift", title: "Drift", View: Drift, ofProject: true },
  papers: { part: "papers", title: "Papers", View: Papers },
};

/** Fill in links to the screens of a project, or to those that need no project. */
export function fillParts(nav, project, current) {
  const at = `#${encodeURIComponent(project ?? "")}`;
  const link = (part, title, href) => h("a", { href, "aria-current": part === current ? "page" : null, "data-key": `part-${part}` }, title);
  fill(
    nav,
    project && link("mark", "Mark", at),
    Object.values(SCREENS)
      .filter(({ ofProject }) => project || !ofProject)
      .map(({ part, title }) => link(part, title, `${at}/~${part}`)),
  );
}
