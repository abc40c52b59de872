"""Programs compiled through the text that --emit prints, beside the same programs compiled directly.

Every source file of a program is printed with --emit=cilk or --emit=channel, printed again from its own text, which must
give the same text, and compiled from it. The program made of these must do what its serial elision does, and must have
the counters of the program that was compiled directly.
"""
import json
import os
import shlex
from pathlib import Path

import cases

MOST_RUNS = 8  # of a program whose counters are not those expected


class ThroughMlir:
    """Put in front of run.Runner: compiles programs in both ways and compares their runs."""

    stage = "channel"

    def compile(self, program, serial):
        error = super().compile(program, serial)
        return error if error or serial else self.compile_through(program)

    def compile_through(self, program):
        """Compiles a program through its text; returns an error text or None."""
        driver, texts = self.command(program)[0], []
        folder = Path(f"{self.binary(program, False)}-{self.stage}.d")
        folder.mkdir(parents=True, exist_ok=True)
        for source in program.sources():
            texts.append(str(folder / f"{source.name}.mlir"))
            if error := self.emit(driver, program, str(source), texts[-1]):
                return error
        return self.finish([driver, *self.flags, *program.flags, *texts, "-o", str(self.through(program)), *program.link_flags()])

    def emit(self, driver, program, source, text):
        """Prints a source file, and what was printed once more; returns an error text or None."""
        flags = [driver, *self.flags, *program.flags, f"--emit={self.stage}"]
        again = f"{text}.again.mlir"
        error = self.finish([*flags, source, "-o", text]) or self.finish([*flags, text, "-o", again])
        if error:
            return error
        if Path(text).read_bytes() != Path(again).read_bytes():
            return f"diff {text} {again}\n    printed again, the text is another"
        os.unlink(again)
        return None

    def finish(self, command):
        status, out, err = self.processes.run(command, 300, self.environment)
        if status == 0:
            return None
        text = (out + err).decode(errors="replace").strip().splitlines()
        return f"{shlex.join(command)}\n    exit status {status}\n" + "\n".join("    " + line for line in text[:25])

    def through(self, program):
        return Path(f"{self.binary(program, False)}-{self.stage}")

    def run(self, case):
        """Runs one case in both ways; returns an error text or None."""
        binaries = str(self.binary(case.program, False)), str(self.through(case.program))
        seen = [], []
        # On the modelled machine every run has the same counters. Natively the time that the system takes away may move
        # some: then the counters of one must occur in a run of the other. No program is asked for that whose own runs all
        # differ.
        for _ in range(1 if dict(case.settings).get("CILK2GPU_DEVICE") == "model" else MOST_RUNS):
            for binary, counters in zip(binaries, seen):
                error, found = self.run_binary(case, binary)
                if error:
                    return error
                counters.append(found)
            if case.program.name in cases.ANY_ORDER or any(found in seen[0] for found in seen[1]):
                return None
        if not any(found in seen[0][:i] for i, found in enumerate(seen[0])) and len(seen[0]) > 1:
            return None
        said = "; ".join(f"{name} is {other}, compiled directly {own}" for name, (own, other) in different_counts(seen[0][0], seen[1][0]).items())
        return f"{said}\n  compare: {' '.join(f'{k}={v}' for k, v in case.settings)} {' '.join(binaries)}"

    def run_binary(self, case, binary):
        """(error text or None, counters or None) of a run."""
        stats = Path(f"{binary}-{'-'.join([*case.arguments, *(value for _, value in case.settings)])}.json")
        stats.unlink(missing_ok=True)
        command = [binary, *case.arguments]
        settings = {**dict(case.settings), "CILK2GPU_STATS": str(stats)}
        actual = self.processes.run(command, case.timeout or self.timeout, {**self.environment, **settings})
        if error := self.compare(self.elision(case.program, case.arguments), actual, case):
            return f"{error}\n  repeat: {' '.join(f'{k}={v}' for k, v in settings.items())} {shlex.join(command)}", None
        return None, counts_of(stats)


def counts_of(path):
    """The counters of a run that are no times; None where there was no graph to run."""
    if not path.exists():
        return None
    counters = json.loads(path.read_text())["counters"]
    return {name: counter["value"] for name, counter in counters.items() if counter["unit"] != "ns"}


def different_counts(ours, others):
    """The counters in which two runs differ, each with both values."""
    if ours is None or others is None:
        return {} if ours is others else {"statistics": (ours is not None, others is not None)}
    return {name: (value, others.get(name)) for name, value in ours.items() if others.get(name) != value}
