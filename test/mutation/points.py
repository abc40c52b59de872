"""The mutants of a build, the list of mutants that change nothing, and the table of results."""
import re
from collections import defaultdict
from dataclasses import dataclass

MARKERS = ("<!-- made by scripts/mutate --update-docs: begin -->", "<!-- made by scripts/mutate --update-docs: end -->")


@dataclass(frozen=True)
class Point:
    """A place that has a mutant. `place` is PATH:LINE:COLUMN:CHANGE:ORDINAL (Mutate.cpp)."""
    id: int
    place: str
    text: str  # the source line

    @property
    def path(self):
        return self.place.split(":")[0]

    @property
    def change(self):
        return self.place.split(":")[3]

    @property
    def folder(self):
        parts = self.path.split("/")
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def read_points(folder, root):
    """Returns the points that the compiler listed in `folder`, those that come first in the sample first. Points that
    share an ID are left out, as are those of files or lines that are there no more."""
    places = defaultdict(set)
    for file in folder.iterdir():
        for line in file.read_text().splitlines():
            number, place = line.split("\t")
            places[int(number)].add(place)
    texts = {}
    points = []
    for number, of_id in places.items():
        if len(of_id) != 1:
            continue
        place = next(iter(of_id))
        path, line = place.split(":")[:2]
        if path not in texts:
            texts[path] = (root / path).read_text().splitlines() if (root / path).exists() else []
        if int(line) <= len(texts[path]):
            points.append(Point(number, place, texts[path][int(line) - 1].strip()))
    return sorted(points, key=lambda point: point.id)  # an ID is a hash, so this order is random, and always the same


def matches(point, pattern):
    return re.search(pattern, point.place) is not None


def read_equivalents(file):
    """Returns a function that gives the reason why a point's mutant changes nothing, or None. A line of the file is
    "PATH | CHANGE | SOURCE LINE | REASON"."""
    reasons = {}
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            fields = [part.strip() for part in line.split(" | ")]
            if len(fields) < 4:
                raise SystemExit(f"mutate: error: {file}: a line has four fields, PATH | CHANGE | SOURCE LINE | REASON: {line}")
            reasons[fields[0], fields[1], " | ".join(fields[2:-1])] = fields[-1]
    return lambda point: reasons.get((point.path, point.change, point.text))


def rows_of(points, outcomes, reason_of):
    """Returns (folder, mutants, caught, equivalent, survivors) for each folder, and the sums."""
    counts = defaultdict(lambda: [0, 0, 0, 0])
    for point in points:
        outcome = outcomes.get(point.place)
        if outcome is None:
            continue
        column = 1 if outcome["outcome"] == "caught" else 2 if reason_of(point) else 3
        for key in (point.folder, "all"):
            counts[key][0] += 1
            counts[key][column] += 1
    return [(folder, *counts[folder]) for folder in sorted(counts, key=lambda key: (key == "all", key))]


def table_of(rows):
    lines = ["| Folder | Mutants | Caught | Change nothing | Not caught | Score |", "| --- | --: | --: | --: | --: | --: |"]
    for folder, mutants, caught, equivalent, survivors in rows:
        rest = mutants - equivalent
        score = f"{100 * caught / rest:.0f} %" if rest else ""
        lines.append(f"| {folder if folder == 'all' else f'`{folder}`'} | {mutants} | {caught} | {equivalent} | {survivors} | {score} |")
    return "\n".join(lines)


def list_of_survivors(points, outcomes, reason_of):
    """Returns a table of the mutants that no test caught, with their source lines."""
    lines = ["| Place | Change | Line |", "| --- | --- | --- |"]
    for point in sorted(points, key=lambda point: (point.path, int(point.place.split(":")[1]))):
        outcome = outcomes.get(point.place)
        if outcome and outcome["outcome"] != "caught" and not reason_of(point):
            line = point.place.split(":")[1]
            text = point.text.replace("|", "\\|")
            lines.append(f"| `{point.path}:{line}` | {point.change} | `` {text} `` |")
    return "\n".join(lines)


def put_into(page, text):
    """Replaces what stands between the markers of the page."""
    before, rest = page.read_text().split(MARKERS[0])
    after = rest.split(MARKERS[1])[1]
    page.write_text(f"{before}{MARKERS[0]}\n{text}\n{MARKERS[1]}{after}")
