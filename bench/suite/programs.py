"""The measured programs: sources, sizes, yardsticks and goals."""
from dataclasses import dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Yardstick:
    """A hand-written AVX-512 version that prints what its program prints."""
    label: str
    source: str
    defines: tuple = ()


@dataclass(frozen=True)
class Program:
    name: str
    source: str
    summary: str
    size: int
    quick_size: int  # for a test of the scripts
    counted_size: int  # for counting instructions one by one
    defines: tuple = ()
    yardsticks: tuple = ()
    must: float | None = None  # goals: ratio of one worker's time to the serial elision's
    aim: float | None = None

    @property
    def path(self):
        return BENCH / "programs" / self.source


FIB = (Yardstick("by hand, post-sync tasks", "fib-sync.cpp"), Yardstick("by hand, base cases summed", "fib-summed.cpp"))
BOARDS = (Yardstick("by hand, all pairs", "queens-boards.cpp"),
          Yardstick("by hand, newest queen", "queens-boards.cpp", ("BENCH_NEWEST",)))

PROGRAMS = (
    Program("fib", "fib.c", "a task for each call", 38, 16, 24, yardsticks=FIB, must=1.2, aim=0.5),
    Program("queens-bits", "queens-bits.c", "bit masks, results in an array of long", 13, 6, 9,
            yardsticks=(Yardstick("by hand, base cases summed", "queens-bits.cpp"),), must=0.7, aim=0.25),
    Program("queens-boards", "queens-boards.c", "boards of bytes by value", 13, 6, 8, yardsticks=BOARDS, must=0.6,
            aim=0.15),
    Program("tree", "tree.c", "unbalanced tree search T1, SHA-1 for each node", 10, 3, 5,
            yardsticks=(Yardstick("by hand, base cases summed", "tree.cpp"),), must=0.25, aim=0.12),
    Program("sort", "sort.c", "cilksort of ints", 20_000_000, 20_000, 100_000, must=1.05, aim=0.9),
    Program("strassen", "strassen.c", "doubles, leaf 64", 2048, 128, 256, must=0.85, aim=0.7),
    Program("strassen-separate", "strassen.c", "the same, temporaries allocated one by one", 2048, 128, 256,
            ("BENCH_SEPARATE",)),
    Program("mandelbrot", "mandelbrot.c", "cilk_for over all points", 1536, 64, 128),
    Program("tiny", "tiny.c", "sixteen tiny functions that spawn one another", 34, 12, 20),
    Program("fib-double", "fib.c", "sums of double, which may not be reassociated", 38, 16, 24, ("BENCH_DOUBLE",)),
    Program("fib-cutoff", "fib.c", "serial below 20", 38, 22, 24, ("BENCH_CUTOFF=20",)),
    Program("queens-bits-cutoff", "queens-bits.c", "serial in the last 8 rows", 13, 10, 10, ("BENCH_CUTOFF=8",)),
    Program("queens-boards-cutoff", "queens-boards.c", "serial in the last 8 rows", 12, 9, 9, ("BENCH_CUTOFF=8",)),
    Program("tree-cutoff", "tree.c", "serial in the last 5 levels", 10, 6, 6, ("BENCH_CUTOFF=5",)),
    Program("tiny-cutoff", "tiny.c", "serial below 16", 38, 18, 20, ("BENCH_CUTOFF=16",)),
)


def find(names):
    """Returns the programs of these names, or all without names. Raises KeyError with the first unknown name."""
    known = {program.name: program for program in PROGRAMS}
    return [known[name] for name in names] if names else list(PROGRAMS)
