/** The studio: opens projects, adds pages, shows messages. */
import * as api from "./api.js";
import { addressForm, addressesIn, fetchAll } from "./addresses.js";
import { Desk } from "./desk.js";
import { fill, h, stateOf } from "./dom.js";
import { help, takesKeys } from "./keys.js";
import { Changes } from "./changes.js";
import { Messages } from "./messages.js";
import { addFiles, dropped, pagesOf, pasted, projectName } from "./opening.js";
import { placeBeside } from "./popup.js";
import { ProjectList } from "./project-list.js";
import { SCREENS, fillParts } from "./screens.js";
import { showAccount, showPlaces } from "./shell.js";

const parts = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (element) => [element.id, element]));
const messages = new Messages(parts.messages, parts.banner);
let settings, desk, screenView, projectList, changes;
let adding = false;

async function start() {
  showPlaces(parts.places, "studio");
  fill(parts["help-keys"], help());
  parts["help-button"].addEventListener("click", () => parts.help.showModal());
  try {
    settings = await api.settings();
  } catch (error) {
    if (error.status === 401) return askForToken(error);
    messages.showBanner(`The studio can't start: ${error.message}.`, h("button", { type: "button", onclick: () => location.reload() }, "Try again"));
    return;
  }
  if (settings.fetches) {
    for (const place of document.querySelectorAll("[data-addresses]")) fill(place, addressForm({ messages, take: add }));
  }
  showAccount(parts.account);
  desk = new Desk(parts, { settings, messages, addPages: () => parts.opening.showModal(), getData, moved, dragged });
  projectList = new ProjectList(parts, { messages, names: listProjects, renamed });
  listen();
  await attempt(go());
}

/** Ask the person for an access token, then start again with it. */
function askForToken(error) {
  if (error.isRefused) messages.show(`${error.message}.`, "error");
  parts.entering.showModal();
  parts.entering.onclose = async () => {
    const token = parts.token.value;
    parts.token.value = "";
    try {
      await api.signIn(token);
    } catch (refusal) {
      return askForToken(Object.assign(refusal, { isRefused: true }));
    }
    return start();
  };
}

/** Show what the URL's hash names: a project and one of its pages, a screen, or the welcome page. */
async function go() {
  const [name, page] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const screen = page?.startsWith("~") ? SCREENS[page.slice(1)] : null;
  fillParts(parts.parts, name, screen?.part ?? (name ? "mark" : null));
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close(); // going back leaves what it was about
  if (screen) {
    await open(screen, name);
    return;
  }
  if (name && name === desk.session?.server.name) {
    show("desk");
    desk.open(page);
    return;
  }
  leaveDesk();
  const names = await listProjects();
  if (!name) {
    show("welcome");
    return;
  }
  try {
    const state = await api.project(name);
    show("desk");
    desk.start(state, page);
    follow(name);
    document.title = `${name} – Rowen Studio`;
    parts.project.value = name;
  } catch (error) {
    messages.show(names.includes(name) ? `${name} can't be opened: ${error.message}.` : `Project ${name} not found.`, "error");
    history.replaceState(null, "", location.pathname);
    fillParts(parts.parts, null, null);
    show("welcome");
  }
}

/** Close the project. */
function leaveDesk() {
  desk.stop();
  changes?.close();
  changes = null;
}

/** Show what other windows change in the project. */
function follow(name) {
  changes = new Changes(name, {
    changed(revision) {
      const { session } = desk;
      // A page that is being added is shown when its style sheets and images have come, too.
      if (session && !adding && revision !== session.server.revision && !session.sending) session.refresh().catch(() => null); // it asks again when it can
    },
    gone() {
      messages.show(`Project ${name} was renamed or deleted in another window.`, "warning");
      location.hash = "";
    },
  });
}

/** A project has another name now. */
function renamed(name, newName) {
  if (name === desk.session?.server.name) location.hash = `#${encodeURIComponent(newName)}`;
}

/** Show a screen other than the desk. */
async function open(screen, project) {
  leaveDesk();
  await listProjects();
  parts.project.value = project;
  show("screen");
  document.title = `${screen.title} – Rowen Studio`;
  parts["screen-title"].textContent = screen.title;
  fill(parts["screen-body"], stateOf({ kind: "loading", title: `${screen.title}…` }));
  try {
    screenView = new screen.View(parts["screen-body"], { project, messages, fetches: settings.fetches });
    await screenView.show();
  } catch (error) {
    const again = h("button", { type: "button", onclick: () => attempt(go()) }, "Try again");
    fill(parts["screen-body"], stateOf({ kind: "failed", sign: "!", title: "This can't be shown", text: `${error.message}.` }, again));
  }
}

/** Go to the data of the open project. */
function getData() {
  location.hash = `#${encodeURIComponent(desk.session.server.name)}/~data`;
}

function moved(page) {
  const { name } = desk.session.server;
  const hash = `#${encodeURIComponent(name)}/${encodeURIComponent(page)}`;
  if (location.hash === hash) return;
  // The address of a project alone leads to its first page: going back must not lead to it again.
  const isNew = location.hash.includes("/");
  if (isNew) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

function show(which) {
  for (const id of ["welcome", "desk", "screen"]) parts[id].hidden = id !== which;
  parts.history.hidden = which !== "desk";
  if (which === "welcome") {
    document.title = "Rowen Studio";
    parts.project.value = "";
    messages.showBanner(null);
  }
}

async function listProjects() {
  const names = (await api.projects()).map(({ name }) => name);
  fill(parts.project, h("option", { value: "" }, names.length ? "New project" : "No project yet"), ...names.map((name) => h("option", { value: name }, name)));
  projectList.show(names);
  return names;
}

/** Add files to the open project, or to a new project if none is open. */
async function add(files, folder = null) {
  if (parts.opening.open) parts.opening.close();
  if (!files.length) {
    messages.show("These files contain no pages.", "warning");
    return;
  }
  const fresh = !desk.session;
  const name = fresh ? await newProject(files, folder) : desk.session.server.name;
  if (!name) return;
  adding = true;
  const { state, added, refused } = await addFiles(name, files, { limits: settings, progress: (text) => messages.showBanner(text || null) });
  adding = false;
  for (const reason of refused.slice(0, 3)) messages.show(reason, "error");
  if (refused.length > 3) messages.show(`${refused.length - 3} more files were not added.`, "error");
  if (fresh && !added.length) {
    await api.deleteProject(name).catch(() => null); // no page was accepted: don't leave an empty project behind
    return;
  }
  if (fresh) location.hash = `#${encodeURIComponent(name)}`;
  else if (state) {
    desk.session.take(state);
    desk.open(added[0]);
    desk.session.refresh().catch(() => null); // what other windows did meanwhile
  }
}

async function newProject(files, folder) {
  const names = await attempt(listProjects());
  if (!names) return null;
  const project = await attempt(api.createProject(projectName(files, folder, names)));
  return project?.name ?? null;
}

async function openSample() {
  const { name, pages } = (await attempt(api.sample())) ?? {};
  if (!pages) return;
  const files = Object.entries(pages).map(([page, text]) => new File([text], page));
  await add(files, name);
}

/** The result of a request; null if it failed, after showing the message. */
async function attempt(call) {
  try {
    return await call;
  } catch (error) {
    messages.show(`This failed: ${error.message}.`, "error");
    return null;
  }
}

/** Show that files can be dropped here. The overlay also covers the page's frame, which takes no drops. */
function dragged(event) {
  event.preventDefault();
  parts.drop.hidden = !event.dataTransfer.types.includes("Files");
}

/** Add what is pasted: the pages at URLs, or HTML. */
async function paste(clipboard) {
  const addresses = settings.fetches && addressesIn(clipboard.getData("text/plain"));
  const file = pasted(clipboard);
  const files = addresses ? await fetchAll(addresses, messages) : file ? [file] : [];
  if (files.length) add(files);
}

/** Open the page of a frame, if the project has it. */
function openFrame({ detail: address }) {
  const name = decodeURIComponent(address.split(/[?#]/)[0].split("/").pop());
  if (desk.session?.state.pages.includes(name)) desk.open(name);
  else messages.show(`Frame ${address} is a page of its own: add its file to the project.`, "warning");
}

/** `?` shows the keys on every screen. */
function showHelp(event) {
  const isTyping = takesKeys(event.target, event.key) || document.querySelector("dialog[open]");
  if (event.key !== "?" || event.defaultPrevented || isTyping) return;
  event.preventDefault();
  parts.help.showModal();
}

/** The panel is closed where it would lie over the page, until somebody opens it. */
function fitPanel(narrow) {
  if (narrow.matches !== parts.panel.hidden) desk.togglePanel();
}

function listen() {
  const narrow = matchMedia("(width < 1100px)");
  narrow.addEventListener("change", fitPanel);
  fitPanel(narrow);
  document.addEventListener("keydown", showHelp);
  const place = placeBeside(parts.selection, () => desk.selection?.view.selectionBox());
  parts.page.addEventListener("page-scrolled", place);
  parts.page.addEventListener("open-frame", openFrame);
  window.addEventListener("hashchange", () => (messages.clear(), attempt(go())));
  parts.project.addEventListener("change", () => {
    location.hash = parts.project.value ? `#${encodeURIComponent(parts.project.value)}` : "";
  });
  for (const button of document.querySelectorAll("[data-choose]")) {
    button.addEventListener("click", () => parts[button.dataset.choose].click());
  }
  parts.files.addEventListener("change", () => (add([...parts.files.files]), (parts.files.value = "")));
  parts.folder.addEventListener("change", () => (add(pagesOf(parts.folder.files)), (parts.folder.value = "")));
  parts.sample.addEventListener("click", openSample);
  document.addEventListener("paste", (event) => {
    if (!event.target.matches("input, textarea")) paste(event.clipboardData);
  });
  document.addEventListener("dragover", dragged);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) parts.drop.hidden = true;
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    parts.drop.hidden = true;
    const { files, folder } = await dropped(event.dataTransfer);
    const target = !parts.screen.hidden && screenView.add ? screenView : { add };
    await target.add(files, folder);
  });
  window.addEventListener("beforeunload", (event) => {
    if (desk.session?.blocked) event.preventDefault(); // the browser asks before unsaved changes are lost
  });
}

start();
