/** What each keyboard command does on the desk. A command returns false if the key keeps its usual meaning. */

/** @type {Object<string, (desk: import("./desk.js").Desk, how: object) => unknown>} */
const ACTIONS = {
  mark: (desk, { number, exact, add }) => {
    const { fields } = desk.state;
    const field = number === fields.length ? desk.newField() : fields[number];
    return Boolean(field) && (desk.mark(field, { exact, add }), true);
  },
  pointNext: (desk) => desk.view.pointOn(1),
  pointPrevious: (desk) => desk.view.pointOn(-1),
  pick: (desk) => desk.pointer.pick(),
  kind: (desk) => desk.pointer.turn(),
  data: (desk) => desk.context.getData(),
  values: (desk) => desk.showData(),
  accept: (desk) => desk.edits.accept(),
  reopen: (desk) => desk.edits.reopen(),
  down: (desk) => desk.step({ down: 1 }),
  up: (desk) => desk.step({ down: -1 }),
  arrowDown: (desk, { inTable }) => inTable && desk.step({ down: 1 }),
  arrowUp: (desk, { inTable }) => inTable && desk.step({ down: -1 }),
  right: (desk, { inTable }) => inTable && desk.step({ right: 1 }),
  left: (desk, { inTable }) => inTable && desk.step({ right: -1 }),
  tab: (desk, { inTable, backwards }) => inTable && desk.step({ right: backwards ? -1 : 1, wrap: true }),
  missing: (desk) => desk.edits.setMissing(),
  remove: (desk) => desk.edits.remove(),
  drop: (desk) => desk.cursor && desk.edits.dropRecord(desk.cursor),
  edit: (desk) => desk.edit(),
  undo: (desk) => desk.edits.history("undo"),
  redo: (desk) => desk.edits.history("redo"),
  next: (desk) => desk.turn(1),
  previous: (desk) => desk.turn(-1),
  source: (desk) => desk.toggleSource(),
  panel: (desk) => desk.togglePanel(),
  scope: (desk) => desk.setScope(desk.listing.scope === "all" ? "page" : "all"),
  field: (desk) => desk.parts.fields.querySelector("#new-field").focus(),
  open: (desk) => desk.context.addPages(),
  help: (desk) => desk.parts.help.showModal(),
  find: (desk) => desk.finder.open(),
  acceptRecognized: (desk) => desk.recognizing.bar.accept(),
  acceptAll: (desk) => desk.recognizing.bar.acceptAll(),
  dropRecognized: (desk) => desk.recognizing.bar.drop(),
  escape: (desk) => desk.leave(),
};

/** Run a command; returns whether it used the key. `how` says where the key was pressed. */
export function run(desk, command, how) {
  const action = ACTIONS[command.name];
  return Boolean(action) && action(desk, { ...command, ...how }) !== false;
}
