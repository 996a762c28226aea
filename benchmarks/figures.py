"""Figures, written as small SVG files beside the results where matplotlib is there."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.optional import optional

FOLDER = Path(__file__).resolve().parent / "plots"
SIZE = (6.4, 4.0)
BLUE = "#2b6cb0"
MARKERS = "os^vDPX*<>"


def matrix(
    name: str, rows: Mapping[str, Sequence[bool]], *, columns: Sequence[str], title: str
) -> None:
    """Which of the columns hold for each row; rows with the most stand first."""
    figure, axes = _figure((6.4, 5.0))
    if figure is None:
        return
    ordered = sorted(rows.values(), key=lambda row: (-sum(row), [not one for one in row]))
    axes.imshow(
        ordered, aspect="auto", interpolation="nearest", cmap=_two_colours(), vmin=0, vmax=1
    )
    axes.set_xticks(range(len(columns)), columns, rotation=30)
    axes.set_ylabel(f"{len(rows)} sites (blue: wrapped)")
    _save(figure, axes, name, title)


def stacks(
    name: str,
    rows: Mapping[str, Sequence[int]],
    *,
    parts: Sequence[str],
    title: str,
    axis: str,
) -> None:
    """A bar a row, made of its parts."""
    figure, axes = _figure()
    if figure is None:
        return
    colours = optional("matplotlib").colormaps["viridis"].resampled(len(parts))
    start = [0] * len(rows)
    for number, part in enumerate(parts):
        lengths = [row[number] for row in rows.values()]
        axes.barh(list(rows), lengths, left=start, color=colours(number), label=part)
        start = [before + length for before, length in zip(start, lengths, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    axes.legend(title="pages", loc="center left", bbox_to_anchor=(1.0, 0.5))
    _save(figure, axes, name, title)


def lines(
    name: str,
    rows: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    axes: tuple[str, str],
    logarithmic: bool = True,
) -> None:
    """A line a row."""
    figure, area = _figure()
    if figure is None:
        return
    for number, (row, places) in enumerate(rows.items()):
        xs, ys = zip(*places, strict=True)
        area.plot(xs, ys, marker=MARKERS[number % len(MARKERS)], label=row)
    if logarithmic:
        area.set_xscale("log", base=2)
        area.set_yscale("log")
    ticks = sorted({x for places in rows.values() for x, _ in places})
    area.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    area.set_xlabel(axes[0])
    area.set_ylabel(axes[1])
    area.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    _save(figure, area, name, title)


def points(
    name: str, places: Sequence[tuple[float, float]], *, title: str, axes: tuple[str, str]
) -> None:
    """Single points, the second axis logarithmic."""
    figure, area = _figure()
    if figure is None:
        return
    xs, ys = zip(*places, strict=True)
    area.scatter(xs, ys, color=BLUE, alpha=0.6)
    area.plot([1, max(xs)], [1, max(xs)], color="grey", linestyle="--", label="as predicted")
    area.set_yscale("log")
    area.set_xlabel(axes[0])
    area.set_ylabel(axes[1])
    area.legend()
    _save(figure, area, name, title)


def agreement(
    name: str,
    groups: Mapping[str, Sequence[tuple[float, float]]],
    *,
    title: str,
    axes: tuple[str, str],
) -> None:
    """Points by group, both axes logarithmic, with the line on which both values are the same."""
    figure, area = _figure()
    if figure is None:
        return
    for number, (group, places) in enumerate(groups.items()):
        if places:
            xs, ys = zip(*places, strict=True)
            area.scatter(xs, ys, marker=MARKERS[number], alpha=0.6, label=group)
    values = [value for places in groups.values() for place in places for value in place]
    if values:
        ends = [min(values), max(values)]
        area.plot(ends, ends, color="grey", linestyle="--", label="the same")
    area.set_xscale("log")
    area.set_yscale("log")
    area.set_xlabel(axes[0])
    area.set_ylabel(axes[1])
    area.legend()
    _save(figure, area, name, title)


def line_panels(
    name: str,
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    *,
    title: str,
    axes: tuple[str, str],
    logarithmic: str = "",
) -> None:
    """Lines in a panel each beside the other; `logarithmic` names the axes that are."""
    figure, areas = _panels(len(panels))
    if figure is None:
        return
    for area, (heading, rows) in zip(areas, panels.items(), strict=True):
        for number, (row, places) in enumerate(rows.items()):
            xs, ys = zip(*places, strict=True)
            area.plot(xs, ys, marker=MARKERS[number % len(MARKERS)], markersize=4, label=row)
        if "x" in logarithmic:
            area.set_xscale("log", base=2)
        if "y" in logarithmic:
            area.set_yscale("log")
        else:
            area.set_ylim(bottom=0)
        ticks = sorted({x for places in rows.values() for x, _ in places})
        area.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        area.minorticks_off()
        area.set_title(heading, fontsize=9)
        area.set_xlabel(axes[0])
    areas[0].set_ylabel(axes[1])
    areas[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    _save(figure, None, name, title)


def stack_panels(
    name: str,
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    parts: Sequence[str],
    title: str,
) -> None:
    """Bars that are made of parts, in panels beside each other."""
    figure, areas = _panels(len(panels))
    if figure is None:
        return
    colours = optional("matplotlib").colormaps["tab20"].resampled(len(parts))
    for area, (heading, rows) in zip(areas, panels.items(), strict=True):
        start = [0.0] * len(rows)
        for number, part in enumerate(parts):
            heights = [row[number] for row in rows.values()]
            area.bar(list(rows), heights, bottom=start, color=colours(number), label=part)
            start = [before + height for before, height in zip(start, heights, strict=True)]
        area.set_title(heading, fontsize=9)
        area.tick_params(axis="x", rotation=60)
    areas[0].set_ylabel("seconds")
    areas[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), reverse=True)
    _save(figure, None, name, title)


def _panels(count: int) -> tuple[Any, Any]:
    figure, areas = _figure((3.0 * count, 3.2), columns=count)
    return figure, None if figure is None else areas[0]


def _figure(size: tuple[float, float] = SIZE, *, columns: int = 0) -> tuple[Any, Any]:
    """A figure with one area, or with a row of so many."""
    if optional("matplotlib") is None:
        return None, None
    optional("matplotlib").use("svg")
    pyplot = optional("matplotlib.pyplot")
    found: tuple[Any, Any] = (
        pyplot.subplots(1, columns, figsize=size, squeeze=False, layout="constrained")
        if columns
        else pyplot.subplots(figsize=size)
    )
    return found


def _two_colours() -> Any:
    return optional("matplotlib.colors").ListedColormap(["#edf2f7", BLUE])


def _save(figure: Any, axes: Any, name: str, title: str) -> None:
    """Without a date and with fixed ids, so that the same figure is the same file."""
    if axes is None:
        figure.suptitle(title, fontsize=10)
    else:
        axes.set_title(title, fontsize=10)
    FOLDER.mkdir(exist_ok=True)
    with optional("matplotlib").rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(FOLDER / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
    optional("matplotlib.pyplot").close(figure)
