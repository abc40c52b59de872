# The compiler's tests: which files run, and the programs and substitutions for their RUN lines. The build folder's
# lit.site.cfg.py loads this file. lit starts with the slowest tests. In a new build folder, it knows them from
# .lit_test_times.txt beside this file, in seconds.
import ctypes
import glob
import json
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "cilk2gpu"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".cilk", ".mlir", ".ll", ".test"]
# unit: GoogleTest, run by ctest; model: model checks, run by ctest; e2e: run by its own program; mutation: for
# scripts/mutate.
config.excludes = ["Inputs", "unit", "e2e", "model", "mutation", "CMakeLists.txt"]
# %{name} macros of DEFINE lines may use one another.
config.recursiveExpansionLimit = 5
config.test_source_root = os.path.dirname(__file__)

# A test that hangs fails after this many seconds, with all processes that it started. `lit --timeout` and
# `lit --param time_limit` give other limits. On a busy machine, the longest test takes about 100 seconds.
TIME_LIMIT = 600
if lit_config.maxIndividualTestTimeIsSupported[0]:  # needs Python's psutil (Debian's python3-psutil)
    lit_config.maxIndividualTestTime = (lit_config.maxIndividualTestTime
                                        or int(lit_config.params.get("time_limit", TIME_LIMIT)))
    config.available_features.add("time-limit")
else:
    lit_config.note("tests have no time limit, because the Python module psutil is missing (Debian's python3-psutil)")

# Tests have more rows and larger inputs with `lit --param long=1`, which scripts/check --long gives.
if int(lit_config.params.get("long", 0)):
    config.available_features.add("long")

# Tests must not depend on settings of the caller.
for name in [name for name in os.environ if name.startswith("CILK2GPU_")]:
    config.environment.pop(name, None)
for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
    config.environment.pop(name, None)

# scripts/mutate runs several tests at a time, each with a mutant of its own, and in a folder of its own.
for name in ("MUTATION_MUTANT", "MUTATION_REACHED"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.test_exec_root = lit_config.params.get("exec_root", config.test_exec_root)

bin_dir = os.path.join(config.build_dir, "bin")
lib_dir = os.path.join(config.build_dir, "lib")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
config.environment["HOME"] = os.environ.get("HOME", "/")

# Starts a program without random addresses. Containers may forbid that; then the addresses stay random.
fixed = ["setarch", "-R", "true"]
FIXED_ADDRESSES = ("setarch -R" if shutil.which(fixed[0]) and subprocess.run(fixed, capture_output=True).returncode == 0
                   else "env")

# Longer names first: %clang is a prefix of %clangxx.
config.substitutions += [
    ("%cilk2gpuxx", os.path.join(bin_dir, "cilk2gpu++")),
    ("%cilk2gpu", os.path.join(bin_dir, "cilk2gpu")),
    ("%clangxx", os.path.join(config.llvm_tools_dir, "clang++")),
    ("%clang", os.path.join(config.llvm_tools_dir, "clang")),
    ("%plugin", os.path.join(lib_dir, "Cilk2GPU.so")),
    ("%runtime", os.path.join(lib_dir, "libcilk2gpu_rt.a")),
    ("%cxxrt", "-lstdc++ -lm"),
    ("%source_dir", config.source_dir),
    ("%python", sys.executable),
    ("%examples", os.path.join(config.source_dir, "examples")),
    ("%build_dir", config.build_dir),
    ("%cmake", config.cmake),
    ("%llvm_tools_dir", config.llvm_tools_dir),
    ("%lit", os.path.join(config.llvm_tools_dir, "lit")),
    ("%fixed_addresses", FIXED_ADDRESSES),
    ("%toy_node", os.path.join(config.build_dir, "test", "Dialect", "cilk2gpu-toy-node")),
]

for program in ("dot", "dpkg", "fish", "make", "meson", "pkg-config", "vim", "zsh"):
    if shutil.which(program):
        config.available_features.add(program)

ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if os.path.exists("/usr/include/hip/hip_runtime_api.h") and glob.glob("/usr/lib/*/libamdhip64.so"):
    config.available_features.add("hip")
if os.path.exists(os.path.join(config.build_dir, "test", "unit", "fake-drivers", "libfakehip5.so")):
    config.available_features.add("fake-gpu")
if os.path.exists(os.path.join(config.build_dir, "test", "Dialect", "cilk2gpu-toy-node")):
    config.available_features.add("toy-node")
if shutil.which("csmith") and os.path.isdir("/usr/include/csmith"):
    config.available_features.add("csmith")
# `lit --param facts=FILE` keeps facts that take seconds to find, for callers that start lit once for each test.
facts_file = lit_config.params.get("facts")
facts = {}
if facts_file and os.path.exists(facts_file):
    with open(facts_file) as file:
        facts = json.load(file)


def fact(name, find):
    """Returns the fact `name`, which find() finds if no earlier start of lit did."""
    if name not in facts:
        facts[name] = find()
        if facts_file:
            with open(facts_file, "w") as file:
                json.dump(facts, file)
    return facts[name]


try:
    ctypes.CDLL("libunicorn.so.2")
    config.available_features.add("unicorn")
except OSError:
    pass
# The packages of the system belong to its own Python, which need not be the one that runs lit.
for python in (sys.executable, "/usr/bin/python3"):
    if os.path.exists(python) and fact(f"matplotlib of {python}", lambda: subprocess.run(
            [python, "-c", "import matplotlib"], capture_output=True).returncode == 0):
        config.available_features.add("matplotlib")
        config.substitutions.append(("%figures_python", python))
        break


def runs_programs(*command):
    """Returns true if a debugger is installed with Python, and may trace programs here."""
    try:
        result = subprocess.run([*command, "/bin/true"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "has python" in result.stdout and ("exited normally" in result.stdout or "exited with status = 0" in result.stdout)


if fact("gdb", lambda: runs_programs("gdb", "-nx", "-batch", "-ex", "python print('has python')", "-ex", "run")):
    config.available_features.add("gdb")
if fact("lldb", lambda: runs_programs(os.path.join(config.llvm_tools_dir, "lldb"), "-x", "-b", "-o",
                                      "script print('has python')", "-o", "run")):
    config.available_features.add("lldb")
if shutil.which("valgrind") and shutil.which("objdump"):
    config.available_features.add("valgrind")
if os.path.exists(os.path.join(config.llvm_tools_dir, "clangd")):
    config.available_features.add("clangd")
if shutil.which("ninja"):
    config.available_features.add("ninja")
