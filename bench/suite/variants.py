"""Compiles a program's variants: serial elision, cilk2gpu, OpenMP tasks, oneTBB, hand-written AVX-512."""
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .programs import BENCH

ELISION, PAIR = "serial elision", "two elisions at once"
LLVM = Path("/usr/lib/llvm-22")
YARDSTICK_FLAGS = ("avx512f", "avx512bw", "avx512vl", "avx512_vbmi2")


class BuildError(Exception):
    """A compilation that must not fail has failed."""


@dataclass
class Variant:
    label: str
    kind: str       # elision, pair, cilk2gpu, openmp, onetbb, taskflow, yardstick
    binary: Path
    threads: int = 1
    environment: dict = field(default_factory=dict)


class Toolchain:
    """Folders of the compilers, and systems to compare with. `missing` says which systems are left out, and why."""

    def __init__(self, build, march):
        self.driver = Path(build).resolve() / "bin" / "cilk2gpu"
        self.flags = ["-O3", f"-march={march}"]
        self.clang = _first_program("clang-22", LLVM / "bin" / "clang")
        self.clangxx = _first_program("clang++-22", LLVM / "bin" / "clang++")
        self.missing = {}
        if not os.access(self.driver, os.X_OK):
            raise BuildError(f"there is no compiler {self.driver}; build it first (scripts/quickstart)")
        if not self.clang or not self.clangxx:
            raise BuildError("clang-22 is not installed; install clang-22")
        self._look_for_systems(march)

    def _look_for_systems(self, march):
        if not any((LLVM / "lib").glob("libomp.so*")):
            self.missing["openmp"] = "OpenMP tasks are left out: install libomp-22-dev"
        if not Path("/usr/include/oneapi/tbb/task_group.h").exists():
            self.missing["onetbb"] = "oneTBB is left out: install libtbb-dev"
        self.taskflow = os.environ.get("TASKFLOW_INCLUDE", "/usr/include")
        if not (Path(self.taskflow) / "taskflow" / "taskflow.hpp").exists():
            self.missing["taskflow"] = "Taskflow is left out: set TASKFLOW_INCLUDE to the folder above taskflow/taskflow.hpp"
        absent = sorted(set(YARDSTICK_FLAGS) - _cpu_flags())
        if absent:
            self.missing["yardstick"] = f"the hand-written versions are left out: this CPU has no {', '.join(absent)}"
        elif march != "native":
            self.missing["yardstick"] = "the hand-written versions are left out: they need -march=native"

    def has(self, kind):
        return kind not in self.missing


def _first_program(*candidates):
    return next((str(path) for path in map(shutil.which, map(str, candidates)) if path), None)


def _cpu_flags():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return next((set(line.split(":", 1)[1].split()) for line in lines if line.startswith("flags")), set())


def compile_file(command, source, target, libraries=()):
    command = [*map(str, command), str(source), "-o", str(target), *libraries]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise BuildError(f"{' '.join(command)} failed:\n{result.stderr.strip()[-2000:]}")
    return target


def _defines(program, *more):
    return [f"-D{name}" for name in (*program.defines, *more)]


def build_elision(tools, program, folder, macro="BENCH_ELISION"):
    """Compiles the program as serial C with plain clang. With BENCH_COUNT, it prints its tasks to the standard error."""
    command = [tools.clang, *tools.flags, "-w", *_defines(program, macro)]
    return compile_file(command, program.path, folder / f"{program.name}.{macro.lower()}", ["-lm"])


def build_cilk(tools, program, folder):
    command = [tools.driver, *tools.flags, "-w", *_defines(program)]
    return compile_file(command, program.path, folder / f"{program.name}.cilk2gpu", ["-lm"])


def _build_openmp(tools, program, folder):
    command = [tools.clang, *tools.flags, "-w", "-fopenmp", *_defines(program, "BENCH_OPENMP")]
    return compile_file(command, program.path, folder / f"{program.name}.openmp", ["-lm"])


def _build_tbb(tools, program, folder):
    command = [tools.clangxx, *tools.flags, "-w", "-std=c++20", "-x", "c++", *_defines(program, "BENCH_TBB")]
    return compile_file(command, program.path, folder / f"{program.name}.onetbb", ["-ltbb", "-lm"])


def _build_yardsticks(tools, program, folder):
    for number, yardstick in enumerate(program.yardsticks):
        command = [tools.clangxx, *tools.flags, "-w", "-std=c++20", "-fno-exceptions",
                   *(f"-D{name}" for name in yardstick.defines)]
        target = folder / f"{program.name}.yardstick{number}"
        binary = compile_file(command, BENCH / "yardsticks" / yardstick.source, target)
        yield Variant(yardstick.label, "yardstick", binary)


def build_all(tools, program, folder, workers, peers=True):
    """Returns all variants of a program that this machine can run, the serial elision first."""
    elision = build_elision(tools, program, folder)
    variants = [Variant(ELISION, "elision", elision)]
    if max(workers) > 1:
        variants.append(Variant(PAIR, "pair", elision, 2))
    systems = [("cilk2gpu", "cilk2gpu", build_cilk, "CILK2GPU_WORKERS")]
    if peers and tools.has("openmp"):
        systems.append(("openmp", "OpenMP tasks", _build_openmp, "OMP_NUM_THREADS"))
    if peers and tools.has("onetbb"):
        systems.append(("onetbb", "oneTBB", _build_tbb, "BENCH_THREADS"))
    for kind, label, build, variable in systems:
        binary = build(tools, program, folder)
        for count in workers:
            environment = {variable: str(count)}
            variants.append(Variant(f"{label}, {count}", kind, binary, count, environment))
    if tools.has("yardstick"):
        variants.extend(_build_yardsticks(tools, program, folder))
    return variants
