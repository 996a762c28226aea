/** The parts of the studio beside the desk, and the way to them. */
import { fill, h } from "./dom.js";
import { Drift } from "./drift.js";
import { Papers } from "./papers.js";
import { Publish } from "./publish.js";
import { Runs } from "./runs.js";

/** By the name in the address, which no page can have: `#project/~publish`. */
export const SCREENS = {
  publish: { part: "publish", title: "Publish", View: Publish, ofProject: true },
  drift: { part: "drift", title: "Drift", View: Drift, ofProject: true },
  runs: { part: "runs", title: "Runs", View: Runs },
  papers: { part: "papers", title: "Papers", View: Papers },
};

/** Links to all parts that there are for a project, or for none. */
export function fillParts(nav, project, current) {
  const at = `#${encodeURIComponent(project ?? "")}`;
  const link = (part, title, href) => h("a", { href, "aria-current": part === current ? "page" : null, "data-key": `part-${part}` }, title);
  fill(
    nav,
    project && link("mark", "Mark", at),
    Object.values(SCREENS)
      .filter((one) => project || !one.ofProject)
      .map((one) => link(one.part, one.title, `${at}/~${one.part}`)),
  );
}
