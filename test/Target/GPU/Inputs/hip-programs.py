#!/usr/bin/env python3
"""Writes programs with --emit=hip, builds them, and runs them with a fake HIP (test/unit/fake-drivers) that plays the kernels, with a
launch for each dispatch and with one for the whole graph (-foffload-persistent).

The first program is built with its own CMakeLists.txt, as C++ and as HIP, with warnings as errors; the others have the same
host's side, of which the compiled files are used again. What each prints must be what its serial elision prints.
"""
import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path


def run(command, **options):
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {result.returncode}\n" + (result.stdout + result.stderr).decode()[-4000:])
    return result


class Builder:
    def __init__(self, options):
        self.options = options
        self.fakes = Path(options.build) / "test/unit/fake-drivers"
        self.work = Path(options.work)
        self.objects = []  # objects of the host's side
        self.first = None

    def driver(self, source):
        return Path(self.options.build) / "bin" / ("cilk2gpu++" if source.suffix == ".cpp" else "cilk2gpu")

    def emit(self, source, folder, *flags):
        run([self.driver(source), "-O2", "--offload-arch=gfx90a,gfx1100", "--emit=hip", source, *flags, "-o", folder])

    def lanes(self):
        return ["-Wl,--whole-archive", self.fakes / "libhip-lanes.a", "-Wl,--no-whole-archive", "-Wl,--wrap=__cilk2gpu_register",
                "-Wl,--export-dynamic-symbol=cilk2gpu_fake_image"]

    def with_cmake(self, folder, *definitions):
        build = Path(f"{folder}-build")
        run([self.options.cmake, "-S", folder, "-B", build, f"-DCMAKE_CXX_COMPILER={self.options.clangxx}", *definitions,
             "-DCMAKE_CXX_FLAGS=-Werror -O1"])
        run([self.options.cmake, "--build", build, "-j2"])
        return build

    def by_hand(self, folder):
        """Links another program's parts with the host's side of the first one."""
        for file in self.first.rglob("runtime/**/*.*"):
            assert filecmp.cmp(file, folder / file.relative_to(self.first), shallow=False), f"{file} differs"
        program = Path(f"{folder}-build") / folder.name
        program.parent.mkdir(exist_ok=True)
        run([self.options.clangxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", folder / "runtime", folder / "Images.cpp",
             *(folder / "program").iterdir(), *self.objects, "-Wl,--wrap=__cilk2gpu_register",
             "-Wl,--export-dynamic-symbol=cilk2gpu_fake_image", "-lamdhip64", "-lpthread", "-lm", "-o", program])
        return program

    def build(self, source, *flags):
        folder = self.work / source.stem
        self.emit(source, folder, *self.lanes(), *flags)
        if self.first:
            return self.by_hand(folder)
        self.first = folder
        build = self.with_cmake(folder)
        self.objects = [o for o in build.rglob("*.o") if "runtime" in o.parts]
        if self.options.all:
            self.with_gcc(folder)
            as_hip = self.work / f"{source.stem}-as-hip"
            self.emit(source, as_hip)
            self.without_device(self.with_cmake(as_hip, "-DAS_HIP=ON") / as_hip.name)
        return build / folder.name

    @staticmethod
    def with_gcc(folder):
        """Any C++ compiler will do."""
        compiler = shutil.which("g++")
        for source in [folder / "Images.cpp", *folder.rglob("runtime/**/*.cpp")] if compiler else []:
            run([compiler, "-std=c++20", "-D__HIP_PLATFORM_AMD__", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                 folder / "runtime", source])

    @staticmethod
    def without_device(program):
        """Without an AMD GPU, the program prints one clear line."""
        if os.path.exists("/dev/kfd"):
            return
        result = subprocess.run([program, "5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        text = result.stderr.decode()
        assert result.returncode == 1 and text.startswith("cilk2gpu: error: AMD's ROCm finds no device (hipInit: error "), text
        assert text.count("\n") == 1, text


def run_on_fake(builder, program, arguments, **environment):
    """Returns the process, and its launches: (kernel, blocks or lanes)."""
    log = builder.work / "calls.log"
    log.unlink(missing_ok=True)
    environment = {**os.environ, "LD_PRELOAD": str(builder.fakes / "libfakehip5.so"), "FAKE_GPU_MEMORY": str(1 << 32),
                   "FAKE_GPU_LOG": str(log), **environment}
    result = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=600)
    lines = log.read_text().splitlines() if log.exists() else []
    return result, [line.split()[1] for line in lines if line.startswith("launch ")]


PERSISTENT = "__cilk2gpu_persistent"
AGGREGATOR = {"CILK2GPU_AGGREGATOR": "persistent"}


def compare(builder, source, arguments):
    program = builder.build(source, "-foffload-persistent")
    elision = builder.work / f"{source.stem}-elision"
    run([builder.driver(source), "-O2", "-fserial-elision", source, "-lm", "-o", elision])
    expected = run([elision, *arguments]).stdout
    for settings in ({"FAKE_GPU_PAGEABLE": "0"}, {"FAKE_GPU_PAGEABLE": "1", "CILK2GPU_WIDTH": "1"},
                     {"FAKE_GPU_PAGEABLE": "0", **AGGREGATOR, "FAKE_GPU_SEED": "7"},
                     {"FAKE_GPU_PAGEABLE": "1", **AGGREGATOR, "CILK2GPU_WIDTH": "1", "CILK2GPU_WORKERS": "1"}):
        result, launches = run_on_fake(builder, program, arguments, **settings)
        assert result.returncode == 0 and result.stdout == expected, \
            f"{source.name}, {settings}: status {result.returncode}, found\n{result.stdout.decode()}{result.stderr.decode()}\n" \
            f"the elision prints\n{expected.decode()}"
        assert launches, f"{source.name} launched nothing"
        assert all((name == PERSISTENT) == ("CILK2GPU_AGGREGATOR" in settings) for name in launches), launches
    print(f"{source.name}: as its elision")


def check_refusals(builder, source, arguments):
    """Errors of the persistent kernel: one line, status 1."""
    program = builder.build(source)
    for value, line in (("persistent", "the image for gfx90a has no persistent kernel; link the program with -foffload-persistent, "
                         "or use CILK2GPU_AGGREGATOR=host"), ("both", "is not valid; allowed are host, persistent")):
        result, launches = run_on_fake(builder, program, arguments, CILK2GPU_AGGREGATOR=value)
        text = result.stderr.decode()
        assert result.returncode == 1 and text.startswith("cilk2gpu: error: CILK2GPU_AGGREGATOR=") and line in text, text
        assert text.count("\n") == 1 and not launches, text
    # For this code, the driver has a name but no meaning.
    text = run_on_fake(builder, program, arguments, FAKE_GPU_FAIL="hipInit:1:700")[0].stderr.decode()
    assert text == "cilk2gpu: error: hipInit: error 700, FAKE_ERROR_ILLEGAL_ADDRESS\n", text
    print("refusals: as they should be")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for name in ("build", "work", "clangxx", "cmake"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--refused", required=True, help="SOURCE that is written without -foffload-persistent")
    parser.add_argument("--all", action="store_true", help="build the first program as HIP, too, and check it with gcc")
    parser.add_argument("programs", nargs="+", help="SOURCE[:ARGUMENT,...]")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    builder = Builder(options)
    for item in options.programs:
        source, _, arguments = item.partition(":")
        compare(builder, Path(source), arguments.split(",") if arguments else [])
    check_refusals(builder, Path(options.refused), ["5"])


main()
