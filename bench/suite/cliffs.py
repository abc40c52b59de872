"""Measures programs of which each has one shape that is expensive for the graph, beside their serial elisions.

The rows of a file in bench/cliffs are functions. The ratio of a row is its CPU time with one worker, divided by the CPU
time of the serial elision. With two workers, it is the wall time, divided by the elision's.
"""
import time
from dataclasses import dataclass

from . import measure, variants
from .programs import BENCH

FOLDER = BENCH / "cliffs"
MOST = 1.05
BEGIN, END = "<!-- made by scripts/bench cliffs: begin -->", "<!-- made by scripts/bench cliffs: end -->"


@dataclass(frozen=True)
class Row:
    file: str
    name: str
    summary: str
    size: int
    quick_size: int

    @property
    def path(self):
        return FOLDER / f"{self.file}.cpp"


ROWS = (
    Row("entries", "one-iteration", "`cilk_for` of one iteration, called from ordinary code", 20000000, 10),
    Row("entries", "ten-iterations", "the same with ten iterations", 10000000, 10),
    Row("entries", "thousand-iterations", "the same with a thousand iterations", 1000000, 10),
    Row("entries", "small-roots", "`fib` of 0 to 7, called from ordinary code", 10000000, 10),
    Row("entries", "calls-in-task", "the same, called in the loop of a task", 10000000, 10),
    Row("entries", "alternate", "`fib` of 3 and 20 in turn, called from ordinary code", 20000, 10),
    Row("entries", "lambda", "`cilk_for` in a template that gets a lambda", 1000000, 10),
    Row("entries", "stencil", "a stencil of 2,000 numbers, in rounds", 500000, 10),
    Row("entries", "audio", "4,096 numbers of 16 bits, in rounds", 300000, 10),
    Row("functions", "blur", "mean of 7 pixels by lines and columns, in functions", 200, 1),
    Row("functions", "clusters", "nearest of 16 points for 100,000 points, in a function", 500, 1),
    Row("functions", "matrices", "products of matrices of 200 x 200, in a function", 400, 1),
    Row("functions", "rounds", "a stencil of 5,000 numbers in a function of rounds", 500000, 10),
    Row("narrow", "comb", "chains of 40 tasks that hang from a chain", 300, 1),
    Row("narrow", "side", "a chain with a small child at each level", 500, 1),
    Row("narrow", "lopsided", "a chain with a small tree at each eighth level", 2000, 1),
    Row("narrow", "ackermann", "Ackermann's function, whose inner call is spawned", 11, 3),
    Row("narrow", "ackermann-plain", "the same with a plain inner call", 11, 3),
    Row("narrow", "lists", "walks of a list of 100,000 items", 600, 1),
    Row("narrow", "flat", "one task with ten million children of two instructions", 10000000, 1000),
    Row("narrow", "flat-longer", "one task with a million children of some hundred steps", 1000000, 1000),
    Row("trees", "malloc", "trees that tasks build, walk twice and free", 21, 5),
    Row("trees", "unique-ptr", "mirror images of trees with `std::unique_ptr`", 20, 5),
    Row("trees", "shared-ptr", "trees with `std::shared_ptr`", 1000000, 100),
    Row("results", "added-fib", "`fib` with `x += cilk_spawn`", 38, 10),
    Row("results", "minimax", "tic-tac-toe to the end, results of 16 bytes", 200, 1),
    Row("results", "extents", "least and greatest number of an array", 10000000, 1000),
    Row("results", "sums", "sum of an array by halves", 10000000, 1000),
    Row("results", "tours", "knight's tours, boards of 25 bytes by value", 10, 1),
    Row("reducers", "reduced-fib", "`fib` that adds to a reducer", 38, 10),
    Row("reducers", "reduced-queens", "queens whose solutions a reducer counts", 13, 6),
    Row("uneven", "trial-division", "trial division of 300,000 numbers", 300000, 100),
    Row("uneven", "local-histograms", "a histogram of 16 bins in each iteration", 1000000, 100),
    Row("uneven", "rare-long", "each 32nd iteration is 640 times longer", 1000000, 100),
    Row("uneven", "fetch-max", "the maximum in an atomic variable", 50000000, 100),
    Row("uneven", "atomic-histogram", "a histogram of 16 atomic bins", 20000000, 100),
)


@dataclass
class Found:
    row: Row
    elision: float = None  # CPU seconds
    one: float = None  # CPU seconds with one worker
    two: float = None  # wall seconds with two workers
    problem: str = ""

    @property
    def ratio(self):
        return self.one / self.elision

    @property
    def is_slow(self):
        return not self.problem and self.ratio > MOST


def find(names):
    by_name = {row.name: row for row in ROWS}
    return [by_name[name] for name in names] if names else list(ROWS)


def build(tools, file, folder):
    """Compiles a file and its elision; returns them as variants."""
    base, path = [f"{tools.driver}++", *tools.flags, "-std=c++20", "-w"], FOLDER / f"{file}.cpp"
    elision = variants.compile_file([*base, "-fserial-elision"], path, str(folder / f"{file}.elision"))
    own = variants.compile_file(base, path, str(folder / f"{file}.cilk2gpu"))
    return [variants.Variant(variants.ELISION, "elision", elision),
            *(variants.Variant(f"cilk2gpu, {count}", "cilk2gpu", own, count, {"CILK2GPU_WORKERS": str(count)}) for count in (1, 2))]


def run_row(options, built, row, progress):
    size = options.size or (row.quick_size if options.quick else row.size)
    elision, one, two = measure.measure(built, [row.name, size], options.rounds, options.seed, options.limit, progress)
    found = Found(row, problem=elision.problem or one.problem or two.problem)
    if not found.problem:
        found.elision, found.one, found.two = max(elision.median_cpu, 1e-6), one.median_cpu, two.median
    return found


def text(each):
    if each.problem:
        return f"{each.row.name:20} {each.problem}"
    return (f"{each.row.name:20} elision {each.elision * 1e3:8.1f} ms   one worker {each.ratio:6.2f}   two (wall) "
            f"{each.two / each.elision:6.2f}{'   too slow' if each.is_slow else ''}")


def run(options, tools, folder, progress):
    """Measures the chosen rows, prints them, and returns what was found."""
    files, results = {}, []
    for number, row in enumerate(options.chosen):
        progress.title = f"{row.name} {number + 1}/{len(options.chosen)}"
        if row.file not in files:
            progress("compiling")
            files[row.file] = build(tools, row.file, folder)
        results.append(run_row(options, files[row.file], row, progress))
        progress.clear()
        print(text(results[-1]), flush=True)
    return results


def markdown(results, machine):
    lines = [f"{time.strftime('%Y-%m-%d')}, {machine}, `-O3`. *One worker*: CPU time by the elision's. *Two workers*: wall time by "
             "the elision's.", "", "| program | elision, ms | one worker | two workers |", "| --- | --- | --- | --- |"]
    for each in results:
        if each.problem:
            lines.append(f"| {each.row.summary} | {each.problem} | | |")
        else:
            lines.append(f"| {each.row.summary} | {each.elision * 1e3:.0f} | {each.ratio:.2f} | {each.two / each.elision:.2f} |")
    return "\n".join(lines)
