"""Draws the ratios to the serial elision as an SVG: one group of bars for each program, on a logarithmic axis. The line at 1
is the elision. Bars to its left are faster."""
import math
from html import escape

COLOURS = {"cilk2gpu": ("#1f77b4", "#6baed6"), "openmp": ("#8c6d31", "#d8b365"), "onetbb": ("#636363", "#bdbdbd"),
           "taskflow": ("#9467bd", "#c5b0d5"), "yardstick": ("#2ca02c", "#98df8a"), "pair": ("#c7c7c7", "#c7c7c7")}
LEFT, RIGHT, TOP, BAR, GAP = 190, 150, 46, 14, 16
AXIS = 560  # pixels from the smallest to the largest ratio


def _groups(results):
    for result in results["programs"]:
        rows = [row for row in result["variants"] if row.get("ratio") and row["kind"] in COLOURS]
        if rows:
            yield f"{result['name']} {result['size']}", rows


def _scale(groups):
    ratios = [row["ratio"] for _, rows in groups for row in rows] + [0.5, 2]
    low, high = math.floor(math.log2(min(ratios))), math.ceil(math.log2(max(ratios)))
    return low, high, lambda ratio: LEFT + AXIS * (math.log2(ratio) - low) / (high - low)


def _text(x, y, content, anchor="start", size=12, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">'
            f"{escape(content)}</text>")


def _grid(low, high, place, bottom):
    for power in range(low, high + 1):
        x = place(2.0 ** power)
        width = 1.5 if power == 0 else 0.5
        yield f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#444" stroke-width="{width}"/>'
        yield _text(x, TOP - 12, f"{2.0 ** power:g}", "middle", 11)


def _bars(groups, place):
    y, middle = TOP, place(1)
    for title, rows in groups:
        yield _text(8, y + 12, title, weight="bold")
        for number, row in enumerate(rows):
            colour = COLOURS[row["kind"]][row["threads"] > 1 or row["kind"] == "yardstick" and number % 2]
            end = place(row["ratio"])
            yield (f'<rect x="{min(end, middle):.1f}" y="{y + 1}" width="{max(abs(end - middle), 1):.1f}" '
                   f'height="{BAR - 2}" fill="{colour}">'
                   f'<title>{escape(row["variant"])}: {row["ratio"]:.3f}</title></rect>')
            anchor, x = ("start", end + 4) if end >= middle else ("end", end - 4)
            yield _text(x, y + 11, f'{row["variant"]}: {row["ratio"]:.2f}', anchor, 10)
            y += BAR
        y += GAP


def draw(results, timed="Whole process"):
    """Returns the SVG file's text. `timed` names the part of a run that was timed."""
    groups = list(_groups(results))
    low, high, place = _scale(groups)
    bottom = TOP + sum(len(rows) * BAR + GAP for _, rows in groups)
    width = LEFT + AXIS + RIGHT
    title = f"{timed}, time / serial elision (clang -O3); left of the line at 1 is faster"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{bottom + 10}" '
        f'viewBox="0 0 {width} {bottom + 10}" font-family="sans-serif">',
        f'<rect width="{width}" height="{bottom + 10}" fill="white"/>', _text(8, 16, title, size=13, weight="bold"),
        *_grid(low, high, place, bottom), *_bars(groups, place), "</svg>", ""])
