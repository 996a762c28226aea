/** Operations: the stores with their last runs, and the state of the service itself. */
import { counted, fill, h } from "../../studio/static/dom.js";
import { alarmLine } from "./alarms.js";
import * as api from "./api.js";
import { follow } from "./live.js";
import { runTable } from "./run-table.js";
import { StoreView } from "./store.js";

export class Operations {
  constructor(container, context) {
    this.container = container;
    this.messages = context.messages;
    this.part = context.path[0] ? new StoreView(container, context) : null;
  }

  async show() {
    await (this.part ?? this).draw();
    this.leave = follow(() => (this.part ?? this).draw().catch(() => null)); // the next change tries again
  }

  close() {
    this.leave?.();
  }

  async draw() {
    const [{ stores, may_choose: mayChoose, candidates }, status] = await Promise.all([api.stores(), api.status().catch((error) => (error.status === 403 ? null : Promise.reject(error)))]);
    const alarms = stores.flatMap((store) => store.alarms.map((alarm) => alarmLine(alarm, store, this.messages)));
    fill(
      this.container,
      h(
        "div",
        { class: "home" },
        h("h1", { class: "hidden" }, "Operations"),
        alarms.length > 0 && h("section", { class: "card", "aria-labelledby": "alarms" }, h("h2", { id: "alarms" }, "Drift"), h("ul", { class: "attention" }, alarms)),
        h(
          "section",
          { class: "card", "aria-labelledby": "stores" },
          h("h2", { id: "stores" }, "Stores"),
          stores.length ? storeTable(stores) : noStores(mayChoose),
          stores.filter(({ error }) => error).map(({ name, error }) => h("p", { class: "warning" }, `${name}: ${error}`)),
          mayChoose && this.choosing(candidates),
        ),
        status && serviceCard(status),
      ),
    );
  }

  choosing(candidates) {
    const field = h("input", { id: "store-place", list: "store-places", required: true, autocomplete: "off", placeholder: "Folder of a store", "data-key": "store-place" });
    return h(
      "form",
      { class: "line", onsubmit: (event) => (event.preventDefault(), this.choose(field.value)) },
      h("label", { for: "store-place" }, "Add a store"),
      field,
      h("datalist", { id: "store-places" }, candidates.map(({ place }) => h("option", { value: place }))),
      h("button", { type: "submit" }, "Add"),
      candidates.slice(0, 5).map(({ place, name }) => h("button", { type: "button", class: "link", title: place, onclick: () => this.choose(place) }, name)),
    );
  }

  async choose(place) {
    try {
      await api.chooseStore(place);
      await this.draw();
    } catch (error) {
      this.messages.show(`${error.message}.`, "error");
    }
  }
}

function storeTable(stores) {
  const runs = stores.filter(({ last }) => last).map((store) => ({ ...store.last, store }));
  const without = stores.filter(({ last, error }) => !last && !error);
  return [runs.length > 0 && runTable("Last run of each store", runs, { withStore: true }), without.map(({ name }) => h("p", { class: "quiet" }, `${name} has no run yet.`))];
}

function noStores(mayChoose) {
  return h(
    "p",
    {},
    "No store is shown. ",
    h("code", {}, "rowen run EXTRACTOR --snapshot PAGES --store DIR"),
    " writes one; then ",
    mayChoose ? "add it here." : ["start the service with ", h("code", {}, "rowen serve --store DIR"), ", or with ", h("code", {}, "--stores FOLDER"), " to add stores here."],
  );
}

function serviceCard(status) {
  const rows = [
    ["Version", status.version],
    ["Workers", `${status.busy} of ${status.workers} busy`],
    ["Queue", `${counted(status.waiting, "document")} waiting, ${counted(status.uploads, "upload")} arriving`],
    ["Documents", `${counted(status.documents, "document")}, ${bytes(status.bytes)}`],
    ["Disk", `${bytes(status.disk.free)} of ${bytes(status.disk.total)} free`],
    status.redis && ["Results", status.redis],
  ].filter(Boolean);
  return h(
    "section",
    { class: "card", "aria-labelledby": "service" },
    h("h2", { id: "service" }, "Service"),
    h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    status.tenants.length > 0 &&
      h(
        "div",
        { class: "scrolling", tabIndex: 0, role: "group", "aria-label": "Tenants" },
        h(
          "table",
          { class: "records numbers" },
          h("thead", {}, h("tr", {}, ["Tenant", "Tokens", "Documents", "Stored", "Quota"].map((head) => h("th", { scope: "col" }, head)))),
          h(
            "tbody",
            {},
            status.tenants.map((own) =>
              h(
                "tr",
                {},
                h("td", {}, own.tenant),
                h("td", { class: "number" }, own.tokens),
                h("td", { class: "number" }, own.most ? `${own.documents.toLocaleString("en")} of ${own.most.toLocaleString("en")}` : own.documents.toLocaleString("en")),
                h("td", { class: "number" }, bytes(own.bytes)),
                h("td", {}, own.quota ? h("meter", { min: 0, max: own.quota, value: own.bytes, high: 0.9 * own.quota, title: bytes(own.quota), "aria-label": `${bytes(own.bytes)} of ${bytes(own.quota)}` }) : "none"),
              ),
            ),
          ),
        ),
      ),
  );
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** "3.1 MB" */
export function bytes(number) {
  let unit = 0;
  let value = number;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
