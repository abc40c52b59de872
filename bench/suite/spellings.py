"""Measures spellings of a program: does its speed depend on how it is written?

A program has one file in bench/spellings, and in it a namespace for each form. Each form is compiled with numbers of a
few types. A spelling is a form with a type. Its ratio is its CPU time divided by the CPU time of its own serial elision.
Spellings are peers if their elisions take nearly the same time. The best ratio of its peers is what a spelling is
compared with.
"""
import re
import time
from dataclasses import dataclass

from . import measure, variants
from .programs import BENCH

FOLDER = BENCH / "spellings"
TYPES = {"long": 64, "int": 32, "unsigned": 32, "unsigned long": 64}  # and their bits
BASE_TYPE = "long"
NEAR = 1.10  # elisions of peers differ by less than this factor
MOST, MOST_ACROSS = 1.25, 2.2  # bounds of a ratio over the best of its peers: of the same width, and of any width
BEGIN, END = "<!-- made by scripts/bench spellings: begin -->", "<!-- made by scripts/bench spellings: end -->"


@dataclass(frozen=True)
class Family:
    name: str
    summary: str
    size: int
    quick_size: int

    @property
    def path(self):
        return FOLDER / f"{self.name}.cpp"

    @property
    def forms(self):
        """The namespaces of the file, the base form first."""
        return re.findall(r"^namespace (\w+) \{", self.path.read_text(), re.M)


FAMILIES = (Family("fib", "two children, whose results are added", 40, 12),
            Family("queens", "a child for each free place of a row", 14, 5),
            Family("sum", "a sum of an array, by halves", 17, 8),
            Family("loop", "independent iterations over an array in the cache", 12, 5))


@dataclass
class Spelling:
    form: str
    type: str
    elision: float = None  # CPU seconds
    seconds: float = None
    problem: str = ""
    over: float = None  # ratio over the best of the peers of its width
    across: float = None  # of peers of any width

    @property
    def name(self):
        return f"{self.form}, {self.type}"

    @property
    def ratio(self):
        return self.seconds / self.elision

    @property
    def is_slow(self):
        return not self.problem and (self.over > MOST or self.across > MOST_ACROSS)


def spellings_of(family):
    """Returns each form with the base type, and the first two forms with every type."""
    forms = family.forms
    return [Spelling(form, kind) for form in forms for kind in TYPES if kind == BASE_TYPE or form in forms[:2]]


def build(tools, family, spelling, folder):
    """Compiles a spelling and its elision; returns them as variants."""
    base = [f"{tools.driver}++", *tools.flags, "-std=c++20", "-w", f"-DFORM={spelling.form}", f"-DNUMBER={spelling.type}"]
    target = folder / f"{family.name}-{spelling.form}-{spelling.type.replace(' ', '-')}"
    elision = variants.compile_file([*base, "-fserial-elision"], family.path, f"{target}.elision")
    own = variants.compile_file(base, family.path, f"{target}.cilk2gpu")
    return [variants.Variant(variants.ELISION, "elision", elision),
            variants.Variant("cilk2gpu, 1", "cilk2gpu", own, 1, {"CILK2GPU_WORKERS": "1"})]


def compare(found):
    """Sets the ratios over the best of the peers."""
    measured = [each for each in found if not each.problem]
    for each in measured:
        peers = [other for other in measured if 1 / NEAR < other.elision / each.elision < NEAR]
        of_width = [other for other in peers if TYPES[other.type] == TYPES[each.type]]
        each.over = each.ratio / min(other.ratio for other in of_width)
        each.across = each.ratio / min(other.ratio for other in peers)


def run_family(options, tools, family, folder, progress):
    found = spellings_of(family)
    size = options.size or (family.quick_size if options.quick else family.size)
    for number, spelling in enumerate(found):
        progress.title = f"{family.name} {number + 1}/{len(found)}"
        progress(f"compiling {spelling.name}")
        built = build(tools, family, spelling, folder)
        elision, own = measure.measure(built, [size], options.rounds, options.seed, options.limit, progress)
        spelling.problem = elision.problem or own.problem
        if not spelling.problem:
            spelling.elision, spelling.seconds = max(elision.median_cpu, 1e-6), own.median_cpu
    progress.clear()
    compare(found)
    return found


def text(family, found):
    lines = [f"{family.name}: {family.summary}", f"  {'spelling':26} {'elision, ms':>11} {'ratio':>7} {'over best':>9} {'across':>7}"]
    for each in sorted(found, key=lambda each: -(each.over or 1e9)):
        if each.problem:
            lines.append(f"  {each.name:26} {each.problem}")
        else:
            lines.append(f"  {each.name:26} {each.elision * 1e3:11.1f} {each.ratio:7.2f} {each.over:9.2f} {each.across:7.2f}"
                         + ("  too slow" if each.is_slow else ""))
    return "\n".join(lines)


def markdown(results, machine):
    """Returns the worst spellings of each program, and how many are within the bounds."""
    lines = [f"{time.strftime('%Y-%m-%d')}, {machine}, one worker, `-O3`. *Ratio*: CPU time by the elision's. *Over best*: this ratio by "
             "the best ratio of the spellings whose elisions take nearly as long.", "",
             "| program | spellings | over 1.25 | worst three: ratio, over best |", "| --- | --- | --- | --- |"]
    for family, found in results:
        worst = sorted((each for each in found if not each.problem), key=lambda each: -each.over)[:3]
        shown = "; ".join(f"{each.name}: {each.ratio:.2f}, {each.over:.2f}" for each in worst)
        lines.append(f"| {family.name} | {len(found)} | {sum(each.is_slow for each in found)} | {shown} |")
    return "\n".join(lines)


def run(options, tools, folder, progress):
    """Measures the chosen families, prints their tables, and returns the pairs of families and spellings."""
    results = []
    for family in options.chosen:
        found = run_family(options, tools, family, folder, progress)
        results.append((family, found))
        print(text(family, found), end="\n\n", flush=True)
    return results


def find(names):
    by_name = {family.name: family for family in FAMILIES}
    return [by_name[name] for name in names] if names else list(FAMILIES)
