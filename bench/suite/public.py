"""Measures public programs (test/public/*.toml): CPU time beside their serial elision's, with one worker, and the time to
compile both.

A program takes part if its row says `measure`, the arguments of a run that is long enough, or if its collection has large
inputs (`[large]`), with which it then runs.
"""
import random
import re
import statistics
import sys
import time
from dataclasses import dataclass, field

import public_collections as public

BEGIN, END = "<!-- made by scripts/bench public: begin -->", "<!-- made by scripts/bench public: end -->"
ONE_WORKER = {"CILK2GPU_WORKERS": "1"}
SHORT = 0.02  # seconds; a shorter run says little


@dataclass
class Measured:
    collection: object
    name: str
    arguments: str
    elision: list = field(default_factory=list)  # CPU seconds of each round
    own: list = field(default_factory=list)
    compiled: tuple = ()  # CPU seconds to compile the elision, and the program
    problem: str = ""

    @property
    def title(self):
        return f"{self.collection.name}: {self.name}"

    @property
    def seconds(self):
        return statistics.median(self.elision)

    @property
    def ratio(self):
        return statistics.median(self.own) / self.seconds

    @property
    def compile_ratio(self):
        return self.compiled[1] / self.compiled[0]


def arguments_of(collection, row):
    """The arguments of a program's measured run, or None if it is not measured."""
    run = row.get("run", "")
    uses_inputs = any(f"{{{name}}}" in run for name in collection.large)
    return row.get("measure", run if uses_inputs else None)


def measured_in(collection):
    rows = [(name, arguments_of(collection, row)) for name, row in collection.programs.items()]
    return [Measured(collection, name, arguments) for name, arguments in rows if arguments is not None]


def compile_both(program, folder, flags):
    """Compiles the elision and the program. Returns both."""
    row = program.collection.programs[program.name]
    targets, times = [folder / "elision", folder / "program"], []
    for target, more in zip(targets, (["-fserial-elision"], [])):
        built = program.collection.compile(row, program.name, target, [*flags, *more])
        if built.status != 0:
            program.problem = f"is not compiled: {public.first_error(built.errors)}"
            return targets
        times.append(max(built.cpu, 1e-3))
    program.compiled = tuple(times)
    return targets


def run_program(program, options, tools, folder, progress):
    folder.mkdir(parents=True, exist_ok=True)
    progress.title = program.title
    progress("compiling")
    elision, own = compile_both(program, folder, tools.flags)
    row, order = program.collection.programs[program.name], random.Random(options.seed)
    words = program.collection.words(program.arguments)
    for turn in range(options.rounds + 1):  # the first round warms up
        pairs = [(elision, program.elision), (own, program.own)]
        for binary, times in order.sample(pairs, 2):
            if program.problem:
                return
            progress(f"round {turn} of {options.rounds}: {binary.name}")
            done = public.execute([binary, *words], options.limit, folder, ONE_WORKER, program.name, row.get("input", ""))
            if done.status is None:
                program.problem = f"its {binary.name} takes over {options.limit} s"
            elif turn:
                times.append(max(done.cpu, 1e-4))


def text(programs):
    lines = [f"{'program':52} {'elision, s':>10} {'ratio':>6} {'compile, s':>10} {'ratio':>6}"]
    for each in programs:
        if each.problem:
            lines.append(f"{each.title:52} {each.problem}")
        else:
            lines.append(f"{each.title:52} {each.seconds:10.3f} {each.ratio:6.2f} {each.compiled[0]:10.2f} {each.compile_ratio:6.2f}")
    return "\n".join(lines)


def figures(programs):
    """The number of programs, their median ratio, the highest ratios, and the median and the highest ratio to compile."""
    worst = ", ".join(f"`{each.name}` {each.ratio:.2f}" for each in sorted(programs, key=lambda each: -each.ratio)[:3])
    compiled = [each.compile_ratio for each in programs]
    return (str(len(programs)), f"{statistics.median(each.ratio for each in programs):.2f}", worst,
            f"{statistics.median(compiled):.1f}, {max(compiled):.1f}")


def long_enough(programs):
    return [each for each in programs if not each.problem and each.seconds >= SHORT]


def summary(programs):
    chosen = long_enough(programs)
    if not chosen:
        return "no run of an elision was long enough"
    count, median, worst, compiled = figures(chosen)
    return f"{count} programs: median {median}, highest {worst}; to compile: median, highest {compiled}"


def markdown(results, machine, options, tools):
    lines = [f"{time.strftime('%Y-%m-%d')}, {machine}, one worker, `{' '.join(tools.flags)}`, medians of {options.rounds} "
             "alternated rounds. *Ratio*: CPU time by the elision's. *To compile*: CPU time by the time to compile the "
             "elision.", "",
             "| collection | programs | median ratio | highest ratios | to compile: median, highest |",
             "| --- | ---: | ---: | --- | --- |"]
    rows = [(collection.about, long_enough(programs)) for collection, programs in results]
    rows.append(("together", [each for _, chosen in rows for each in chosen]))
    return "\n".join(lines + [f"| {name} | {' | '.join(figures(chosen))} |" for name, chosen in rows if chosen])


def prepare(collection):
    """Unpacks a collection and makes its inputs. Returns what is missing, or nothing."""
    problem = collection.unpack()
    if not problem and collection.large:
        collection.enlarge()
    return problem or collection.make_inputs()


def run(options, tools, folder, progress):
    """Measures the programs, prints a table for each collection, and returns pairs of collections and programs."""
    results = []
    for path in sorted(options.manifests.glob("*.toml")):
        collection = public.Collection(path, options.folder.resolve(), folder / "public", options.build_path)
        programs = [each for each in measured_in(collection)
                    if not options.program or any(re.search(name, each.title) for name in options.program)]
        problem = prepare(collection) if programs else None
        if problem:
            print(f"bench: {collection.name} is left out: {problem}", file=sys.stderr)
            continue
        for number, each in enumerate(programs):
            run_program(each, options, tools, collection.work / "measured" / str(number), progress)
        progress.clear()
        if programs:
            print(f"{collection.about}\n{text(programs)}", end="\n\n", flush=True)
            results.append((collection, programs))
    return results
