"use strict";
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const pages = [...document.querySelectorAll("details.page")];
  const fold = document.getElementById("fold");
  const hide = document.getElementById("hide-markup");

  document.querySelector(".tools").hidden = false;
  hide.closest("label").hidden = !document.querySelector(".markup");
  fold.hidden = pages.length < 2;

  /* Every place that shows one value: its pieces in the text, its cell in the table. */
  const placesOf = (key) => document.querySelectorAll(`[data-m="${CSS.escape(key)}"]`);

  const flash = (elements) => {
    for (const element of elements) {
      element.classList.remove("flash");
      void element.offsetWidth; /* starts the animation again */
      element.classList.add("flash");
    }
  };

  document.addEventListener("animationend", (event) => event.target.classList.remove("flash"));

  const follow = (link) => {
    const goal = document.getElementById(link.getAttribute("href").slice(1));
    if (!goal) return;
    goal.closest("details").open = true;
    goal.scrollIntoView({ block: "center", inline: "nearest", behavior: calm.matches ? "auto" : "smooth" });
    (goal.querySelector("a") ?? goal).focus({ preventScroll: true });
    const keys = new Set([goal.dataset.m]);
    for (let mark = link.closest("mark"); mark; mark = mark.parentElement.closest("mark")) {
      keys.add(mark.dataset.m);
    }
    const inText = goal.localName === "mark";
    for (const key of keys) {
      flash([...placesOf(key)].filter((place) => (place.localName === "mark") === inText));
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('main a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (String(getSelection()) && link.closest("mark")) return; /* someone selects text */
    event.preventDefault();
    follow(link);
  });

  for (const [kind, hot] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(kind, (event) => {
      const place = event.target.closest?.("[data-m]");
      if (!place) return;
      for (const one of placesOf(place.dataset.m)) one.classList.toggle("hot", hot);
    });
  }

  /* n and p go from record to record; the table is where the focus is. */
  const said = document.getElementById("said");
  let row = null;
  const step = (by) => {
    const rows = [...document.querySelectorAll("details[open] tbody tr")].filter((one) => one.querySelector("a"));
    const here = document.activeElement?.closest("tr") ?? row;
    const at = rows.indexOf(here);
    row = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (!row) return;
    const cell = row.querySelector("a");
    const mark = document.getElementById(cell.getAttribute("href").slice(1));
    mark?.scrollIntoView({ block: "center", inline: "nearest" });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    cell.focus({ preventScroll: true });
    if (mark) flash([mark]);
    said.textContent = `Record ${row.querySelector("th").textContent}`;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.localName === "input") return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else return;
    event.preventDefault();
  });

  fold.addEventListener("click", () => {
    const open = !pages.some((page) => page.open);
    for (const page of pages) page.open = open;
  });
  const tellFold = () => {
    fold.textContent = pages.some((page) => page.open) ? "Fold all pages" : "Unfold all pages";
  };

  hide.addEventListener("change", () => {
    document.body.classList.toggle("without-markup", hide.checked);
  });

  /* An unfolded page starts at its first record, past its head and navigation. */
  const showFirst = (page) => {
    const text = page.querySelector(".text");
    const first = text?.querySelector("mark");
    if (page.open && first && !text.scrollTop) {
      text.scrollTop = first.getBoundingClientRect().top - text.getBoundingClientRect().top - 72;
    }
  };
  for (const page of pages) {
    showFirst(page);
    page.addEventListener("toggle", () => { showFirst(page); tellFold(); });
  }
  tellFold();
})();
