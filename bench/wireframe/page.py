"""The page of scripts/reproduce wireframe: sections with text, a figure and a table, as Markdown and as HTML with SVG."""
import html
import sys
from dataclasses import dataclass, field
from typing import Callable, List, Optional

TITLE = "Wireframe: the paper's numbers and ours"
INTRODUCTION = [
    "Made by scripts/reproduce wireframe. The paper is Abdolrashidi et al., \"Wireframe: Supporting Data-dependent Parallelism through Dependency Graph Execution in GPUs\", MICRO 2017.",
    "The eight programs of examples/wireframe run on the modelled machine of docs/wireframe.md. Each program gives the model its graph and the instructions of its blocks. "
    "The five versions are those of the paper: Global launches each level from the host, CDP launches it from the device, DepLinks has barriers in the graph, LRR lets blocks run ahead, and LVL bounds how far they do.",
    "The same settings and seeds give the same numbers. The numbers of all runs are in wireframe.csv.",
]


@dataclass
class Section:
    title: str
    figure: Optional[str]  # name of the SVG file; None: the section has no figure
    header: List[str]
    rows: List[list]
    text: List[str] = field(default_factory=list)
    plot: Optional[Callable] = None  # draws the figure on axes


def write_markdown(path, sections, has_figures):
    lines = [f"# {TITLE}", "", *(line for text in INTRODUCTION for line in (text, ""))]
    for section in sections:
        lines += [f"## {section.title}", "", *(line for text in section.text for line in (text, ""))]
        if section.figure and has_figures:
            lines += [f"![{section.title}](wireframe/{section.figure}.svg)", ""]
        for row in [section.header, ["---"] * len(section.header), *section.rows]:
            lines.append("| " + " | ".join(map(str, row)) + " |")
        lines.append("")
    path.write_text("\n".join(lines))


STYLE = """body { font: 16px/1.45 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; font-size: 90%; }
th, td { border: 1px solid #ccc; padding: 0.25em 0.6em; text-align: right; }
th { background: #eee; } td:first-child, th:first-child { text-align: left; }
figure { margin: 1em 0; } img { max-width: 100%; } nav li { line-height: 1.3; }"""


def html_table(section):
    cells = lambda kind, row: "<tr>" + "".join(f"<{kind}>{html.escape(str(cell), quote=False)}</{kind}>" for cell in row) + "</tr>"
    return "\n".join(["<table>", "<thead>", cells("th", section.header), "</thead>", "<tbody>", *(cells("td", row) for row in section.rows), "</tbody>", "</table>"])


def html_section(number, section, has_figures):
    lines = [f'<h2 id="s{number}">{html.escape(section.title, quote=False)}</h2>', *(f"<p>{html.escape(text, quote=False)}</p>" for text in section.text)]
    if section.figure and has_figures:
        lines.append(f'<figure><img src="{section.figure}.svg" alt="{html.escape(section.title)}"></figure>')
    return "\n".join([*lines, html_table(section)])


def html_page(sections, has_figures):
    contents = "\n".join(f'<li><a href="#s{number}">{html.escape(section.title, quote=False)}</a></li>' for number, section in enumerate(sections))
    parts = [f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(TITLE, quote=False)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>',
             f"<h1>{html.escape(TITLE, quote=False)}</h1>", *(f"<p>{html.escape(text, quote=False)}</p>" for text in INTRODUCTION), f"<nav><ul>\n{contents}\n</ul></nav>"]
    parts += [html_section(number, section, has_figures) for number, section in enumerate(sections)]
    return "\n".join([*parts, "</body>", "</html>", ""])


def write_html(folder, sections, has_figures):
    (folder / "index.html").write_text(html_page(sections, has_figures))


def draw_figures(folder, sections):
    """Draws the figures of the sections. Returns False if matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("warning: the page has no figures, because matplotlib is not installed; install it: apt-get install python3-matplotlib", file=sys.stderr)
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "cilk2gpu", "svg.fonttype": "none", "font.size": 9})  # the same file for the same numbers
    from matplotlib import pyplot
    for section in sections:
        if section.figure:
            figure, axes = pyplot.subplots(figsize=(9, 4))
            section.plot(axes)
            figure.tight_layout()
            figure.savefig(folder / f"{section.figure}.svg", metadata={"Date": None})
            pyplot.close(figure)
    return True
