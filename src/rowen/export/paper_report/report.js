"use strict";
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const show = (goal) => {
    goal.closest("details.paper").open = true;
    goal.scrollIntoView({ block: "center", inline: "nearest", behavior: calm.matches ? "auto" : "smooth" });
    goal.classList.remove("flash");
    void goal.getBoundingClientRect(); /* starts the animation again */
    goal.classList.add("flash");
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('main a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (String(getSelection()) && link.closest("svg")) return; /* someone selects text */
    const goal = document.getElementById(link.getAttribute("href").slice(1));
    if (!goal) return;
    event.preventDefault();
    history.replaceState(null, "", link.getAttribute("href"));
    show(goal);
  });
  document.addEventListener("animationend", (event) => event.target.classList.remove("flash"));

  const all = document.getElementById("show-all");
  const kinds = [...document.querySelectorAll(".legend .kind")];
  document.querySelector(".legend").addEventListener("change", (event) => {
    if (event.target === all) for (const kind of kinds) kind.checked = all.checked;
    all.checked = kinds.every((kind) => kind.checked);
    all.indeterminate = !all.checked && kinds.some((kind) => kind.checked);
  });

  /* A reference in the panel and all that leads to it belong together. */
  for (const [kind, hot] of [["mouseover", true], ["mouseout", false]]) {
    document.addEventListener(kind, (event) => {
      const item = event.target.closest?.(".references li");
      if (!item) return;
      for (const link of document.querySelectorAll(`svg a[href="#${CSS.escape(item.id)}"]`)) {
        link.classList.toggle("hot", hot);
      }
    });
  }
})();
