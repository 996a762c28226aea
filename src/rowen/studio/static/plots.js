/** Plots of numbers over runs, in SVG. Each has a table for people who can't see the plot. */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 52;
const BELOW = 24;

/** Stacked bars: `series` is a list of `{name, values}`, with one value per label. */
export function bars(title, labels, series) {
  const totals = labels.map((_, i) => series.reduce((sum, { values }) => sum + values[i], 0));
  const [plot, scale] = frame(title, labels, Math.max(...totals) || 1);
  const step = (WIDTH - LEFT) / labels.length;
  labels.forEach((label, i) => {
    let below = 0;
    series.forEach(({ name, values }, k) => {
      const value = values[i];
      if (!value) return;
      const top = scale(below + value);
      const bar = draw(plot, "rect", {
        x: LEFT + i * step + step * 0.15,
        y: top,
        width: step * 0.7,
        height: scale(below) - top,
        class: `series-${k}`,
      });
      draw(bar, "title").textContent = `${label}: ${value.toLocaleString("en")} ${name}`;
      below += value;
    });
  });
  return figure(title, plot, labels, series);
}

/** Lines; a missing value (null) leaves a gap. */
export function lines(title, labels, series) {
  const present = series.flatMap(({ values }) => values).filter((value) => value !== null);
  const [plot, scale] = frame(title, labels, Math.max(0, ...present) || 1);
  const step = (WIDTH - LEFT) / labels.length;
  const place = (i) => LEFT + (i + 0.5) * step;
  series.forEach(({ name, values }, k) => {
    let path = "";
    values.forEach((value, i) => {
      if (value === null) return;
      const starts = i === 0 || values[i - 1] === null;
      path += `${starts ? "M" : "L"}${place(i).toFixed(1)} ${scale(value).toFixed(1)}`;
      const dot = draw(plot, "circle", { cx: place(i), cy: scale(value), r: 3.5, class: `series-${k}` });
      draw(dot, "title").textContent = `${labels[i]}: ${value.toLocaleString("en")} ${name}`;
    });
    draw(plot, "path", { d: path, class: `line series-${k}` });
  });
  return figure(title, plot, labels, series);
}

/** The axes with round numbers, and the function that maps a value to its height. */
function frame(title, labels, most) {
  const plot = draw(null, "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": title });
  const unit = 10 ** Math.floor(Math.log10(most));
  const top = Math.ceil(most / unit) * unit;
  const scale = (value) => 8 + (HEIGHT - BELOW - 8) * (1 - value / top);
  for (const part of [0, 0.5, 1]) {
    draw(plot, "line", { x1: LEFT, x2: WIDTH, y1: scale(part * top), y2: scale(part * top), class: "grid" });
    const tick = draw(plot, "text", { x: LEFT - 8, y: scale(part * top) + 4, class: "tick end" });
    tick.textContent = (part * top).toLocaleString("en", { maximumSignificantDigits: 3 });
  }
  const interval = Math.ceil(labels.length / 12); // about twelve labels fit beside each other
  labels.forEach((label, i) => {
    if (i % interval) return;
    const x = LEFT + (i + 0.5) * ((WIDTH - LEFT) / labels.length);
    draw(plot, "text", { x, y: HEIGHT - 6, class: "tick middle" }).textContent = label;
  });
  return [plot, scale];
}

function figure(title, plot, labels, series) {
  const element = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = title;
  const legend = document.createElement("ul");
  legend.className = "legend";
  series.forEach(({ name }, k) => {
    const item = document.createElement("li");
    const chip = document.createElement("span");
    chip.className = `chip series-${k}`;
    item.append(chip, name);
    legend.append(item);
  });
  element.append(caption, plot, legend, table(title, labels, series));
  return element;
}

function table(title, labels, series) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "As a table";
  const grid = document.createElement("table");
  grid.className = "records";
  const row = (cells, tag) => {
    const line = document.createElement("tr");
    for (const text of cells) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      line.append(cell);
    }
    grid.append(line);
  };
  row(["Run", ...series.map(({ name }) => name)], "th");
  labels.forEach((label, i) => row([label, ...series.map(({ values }) => values[i]?.toLocaleString("en") ?? "–")], "td"));
  details.append(summary, grid);
  return details;
}

function draw(parent, tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent?.append(element);
  return element;
}
