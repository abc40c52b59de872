"""Draws the ratios to the serial elision with matplotlib, as SVG: one group of bars for each program, on a logarithmic
axis. The line at 1 is the elision. Bars to its left are faster."""
import sys

COLOURS = {"cilk2gpu": ("#1f77b4", "#6baed6"), "openmp": ("#8c6d31", "#d8b365"), "onetbb": ("#636363", "#bdbdbd"),
           "taskflow": ("#9467bd", "#c5b0d5"), "yardstick": ("#2ca02c", "#98df8a"), "pair": ("#c7c7c7", "#c7c7c7")}
BAR, GAP = 0.19, 0.25  # inches: height of a bar, space between two programs


def _groups(results):
    for result in results["programs"]:
        rows = [row for row in result["variants"] if row.get("ratio") and row["kind"] in COLOURS]
        if rows:
            yield f"{result['name']} {result['size']}", rows


def _colour(row, number):
    return COLOURS[row["kind"]][row["threads"] > 1 or row["kind"] == "yardstick" and number % 2]


def _draw_bars(axes, groups):
    """Draws the bars from the top down, in inches. Each has its name and its ratio at its end."""
    y, places = GAP, {}
    for title, rows in groups:
        places[title] = y + BAR / 2
        for number, row in enumerate(rows):
            ratio = row["ratio"]
            axes.barh(y, ratio - 1, left=1, height=0.8 * BAR, align="edge", color=_colour(row, number), gid=f"bar {title} {row['variant']}")
            axes.annotate(f"{row['variant']}: {ratio:.2f}", (ratio, y + 0.4 * BAR), (4 if ratio >= 1 else -4, 0), textcoords="offset points",
                          ha="left" if ratio >= 1 else "right", va="center", fontsize=7, annotation_clip=False)
            y += BAR
        y += GAP
    axes.set_yticks(list(places.values()), list(places), fontweight="bold")
    axes.set_ylim(y, 0)


def write(path, results, timed="Whole process"):
    """Writes the figure to a file. `timed` names the part of a run that was timed. Returns False, after a warning, if
    matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("warning: there is no figure, because matplotlib is not installed; install it: apt-get install python3-matplotlib", file=sys.stderr)
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "cilk2gpu", "svg.fonttype": "none", "font.size": 9})  # the same file for the same numbers
    from matplotlib import pyplot, ticker
    groups = list(_groups(results))
    height = sum(len(rows) * BAR + GAP for _, rows in groups) + GAP
    figure, axes = pyplot.subplots(figsize=(9, height + 0.8))
    axes.set_xscale("log", base=2)
    ratios = [row["ratio"] for _, rows in groups for row in rows] + [0.5, 2]
    axes.set_xlim(min(ratios) / 3, max(ratios) * 3)  # room for the names at the ends of the bars
    _draw_bars(axes, groups)
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.tick_top()
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.axvline(1, color="#444", linewidth=1.5)
    axes.set_title(f"{timed}, time / serial elision (clang -O3); left of the line at 1 is faster", loc="left", fontweight="bold")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return True
