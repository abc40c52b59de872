"""Collections of public Cilk programs (test/public/*.toml): unpacks their files at the pinned commits, and compiles and runs
them. scripts/public-programs and `scripts/bench public` use it."""
import os
import re
import resource
import shlex
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

MANIFESTS = Path(__file__).resolve().parent.parent / "test" / "public"
COMPILE_LIMIT = 600  # seconds of processor time
ORACLE_LIMIT = 10  # seconds of processor time for an elision
INPUT_LIMIT = 60  # seconds of processor time for a tool that makes an input
BUSY = 4  # times the limits, by the clock: other work on the machine does not count
TIMES = r"time|second|\d ?m?s\b|^ *[\d.]+$|elapsed|flops|speedup|processor|workers"  # lines of output that differ from run to run


@dataclass
class Result:
    status: int | None  # None: it took too long
    output: str
    errors: str = ""
    cpu: float = 0.0  # seconds of processor time; right only where no other thread runs commands


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def execute(command, limit, folder, settings=None, name=None, text=""):
    """Runs a command in `folder` with `text` as its input, for at most `limit` seconds of processor time. The command sees
    `name` as its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CILK2GPU_", "CILK_"))}
    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    start = children_cpu()
    try:
        done = subprocess.run([name or str(command[0]), *map(str, command[1:])], executable=command[0], capture_output=True,
                              timeout=BUSY * limit, check=False, cwd=folder, input=text.encode(), preexec_fn=restrict,
                              env={**environment, **(settings or {})})
    except subprocess.TimeoutExpired:
        return Result(None, "")
    if done.returncode in (-24, -9):  # SIGXCPU, SIGKILL
        return Result(None, "")
    return Result(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"),
                  children_cpu() - start)


class Collection:
    """The programs of one manifest, and the files of its repository."""

    def __init__(self, path, folder, work, build):
        """The repositories are in `folder`. Files are unpacked and programs made in `work`."""
        table = tomllib.loads(path.read_text())
        self.name, self.repository, self.commit = path.stem, table["repository"], table["commit"]
        self.about, self.paths = table["about"], table.get("paths", [])
        self.flags, self.ignore = table.get("flags", ""), table.get("ignore", TIMES)
        self.tools, self.inputs, self.large = table.get("tools", {}), table.get("inputs", {}), table.get("large", {})
        self.generated = table.get("generated", {})
        self.programs = {name: self.complete(name, row) for name, row in table["programs"].items()}
        self.clone = folder / self.repository
        self.work = work / self.name
        self.source = self.work / "source"
        self.inputs_folder = self.work / "inputs"
        self.driver = build.resolve() / "bin" / "cilk2gpu"

    def enlarge(self):
        """From here on, the inputs are the large ones, for measurements."""
        self.inputs = {**self.inputs, **self.large}
        self.inputs_folder = self.work / "large-inputs"

    def complete(self, name, row):
        """A program with what it leaves unsaid. A text alone is its arguments."""
        row = {"run": row} if isinstance(row, str) else row
        unknown = row.keys() - {"sources", "flags", "run", "measure", "files", "check", "ignore", "input"}
        if unknown:
            raise ValueError(f"{self.name}: {name} has {', '.join(sorted(unknown))}, which no program has")
        return row

    def unpack(self):
        """Writes the files of the pinned commit. Returns what is missing, or nothing."""
        if not self.clone.is_dir():
            return f"there is no {self.clone}; run: git clone https://github.com/{self.repository} {self.clone}"
        stamp = self.work / "commit"
        if stamp.is_file() and stamp.read_text() == f"{self.commit} {self.paths}":
            return None
        shutil.rmtree(self.work, ignore_errors=True)
        self.source.mkdir(parents=True)
        archive = subprocess.run(["git", "-C", self.clone, "archive", self.commit, "--", *(self.paths or ["."])],
                                 capture_output=True, check=False)
        if archive.returncode:
            return f"{self.clone} lacks commit {self.commit[:12]}, or its files: {archive.stderr.decode()[-200:].strip()}"
        subprocess.run(["tar", "x", "-C", self.source], input=archive.stdout, check=True)
        for name, text in self.generated.items():
            (self.source / name).write_text(text)
        stamp.write_text(f"{self.commit} {self.paths}")
        return None

    def compile(self, row, name, out, flags):
        sources = shlex.split(row.get("sources", name))
        files = [word if word.startswith("-") else self.source / word for word in sources]
        words = shlex.split(f"{self.flags} {row.get('flags', '')}".replace("{source}", str(self.source)))
        driver = f"{self.driver}++" if files[0].suffix not in (".c", ".cilk") else self.driver
        return execute([driver, "-w", *flags, *files, *words, "-lm", "-o", out], COMPILE_LIMIT, self.work)

    def make_tool(self, name):
        """Compiles a tool, as its elision. Returns what failed, or nothing."""
        out = self.work / "tools" / name
        out.parent.mkdir(exist_ok=True)
        result = out.exists() or self.compile({"sources": self.tools[name]}, name, out, ["-O2", "-fserial-elision"])
        return None if out.exists() else f"the tool {name} cannot be compiled: {first_error(result.errors)}"

    def make_inputs(self, map_all=map):
        """Compiles the tools and makes the inputs. Returns what failed, or nothing. `map_all` may be the `map` of a pool."""
        failures = list(filter(None, map_all(self.make_tool, self.tools)))
        if failures:
            return failures[0]
        for name, command in self.inputs.items():
            out = self.inputs_folder / name
            out.parent.mkdir(exist_ok=True)
            if not out.exists():
                result = execute(self.words(command, output=out), INPUT_LIMIT, out.parent)
                if result.status or not out.exists():
                    out.unlink(missing_ok=True)
                    return f"the input {name} cannot be made: {result.errors[-200:].strip()}"
        return None

    def words(self, command, **names):
        """The words of a command with its places filled in: {source}, {NAME OF AN INPUT}, and `names`. The first word may be a tool."""
        places = {"source": self.source, **{name: self.inputs_folder / name for name in self.inputs}, **names}
        words = [re.sub(r"\{(\w+)\}", lambda match: str(places[match[1]]), word) for word in shlex.split(command)]
        if words and words[0] in self.tools:
            words[0] = self.work / "tools" / words[0]
        return words


def first_error(text):
    """The first line of a compiler's or linker's output that says what is wrong."""
    lines = text.strip().splitlines() or ["no message"]
    line = next((line for line in lines if re.search(r"error:|undefined reference|undefined symbol", line)), lines[-1])
    return re.sub(r"^\S*?([^/\s:]+:\d+):\d+: ", r"\1: ", line)[:200]
