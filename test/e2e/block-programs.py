#!/usr/bin/env python3
"""Compiles the programs of examples/wireframe and runs them on every device, with several workers and sizes of graphs.

Each program compares its result with its own serial elision and ends with status 1 if they differ. Here, the result that
it prints must also be the same on all devices. `ptx` is code for NVIDIA's GPUs, which a fake driver runs, and `ir-gfx90a`
code for AMD's, compiled for this machine (device_ir.py). Devices from `isa-gfx90a` on are machine code of AMD's GPUs, which an emulator
runs. All of these need the fake drivers. A failure is printed with the command that repeats it. The last line is "N passed, N failed"; the
exit status is 0 only if something ran and nothing failed.

  block-programs.py --driver build/bin/cilk2gpu [--long] [--work FOLDER] [--filter REGEX] [--jobs N]
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import device_ir

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "examples" / "wireframe"

# Devices, and the settings that each program runs with on them. A device that learns to run blocks gets a row here. The
# modelled machine runs all versions of the Wireframe paper. Programs choose LRR or LVL themselves.
VERSIONS = ["global", "cdp", "deplinks", "lrr", "lvl"]
DEVICES = {
    "native": [{"WORKERS": "1"}, {"WORKERS": "2"}, {"WORKERS": "3"}],
    "serial": [{}],
    "model": [{}, {"CUS": "2", "DGB": "nodes:32,edges:64,pub:8"}, *({"BLOCK_VERSION": version} for version in VERSIONS)],
    "gpu-host": [{"WORKERS": "1"}, {"WORKERS": "3", "SEED": "7"}, {"WORKERS": "2", "BLOCKS": "levels"}],
    "ptx": [{}, {"FAKE_GPU_BLOCKS": "5", "FAKE_GPU_RESIDENT": "3", "FAKE_GPU_SEED": "2"}, {"BLOCKS": "levels"}],
    "ir-gfx90a": [{}, {"BLOCKS": "levels"}],
    "isa-gfx90a": [{"FAKE_GPU_BLOCKS": "5", "FAKE_GPU_RESIDENT": "3", "FAKE_GPU_SEED": "2"}, {"BLOCKS": "levels"}],
    "isa-gfx942": [{"FAKE_GPU_BLOCKS": "5", "FAKE_GPU_RESIDENT": "3", "FAKE_GPU_SEED": "4"}, {"BLOCKS": "levels"}],
    "isa-gfx1100": [{}, {"FAKE_GPU_BLOCKS": "5", "FAKE_GPU_RESIDENT": "3", "FAKE_GPU_SEED": "3"}, {"BLOCKS": "levels"}],
    "isa-gfx1201": [{}, {"FAKE_GPU_BLOCKS": "5", "FAKE_GPU_RESIDENT": "3", "FAKE_GPU_SEED": "5"}, {"BLOCKS": "levels"}],
}
# Without --long, one program runs on these devices. Others have no code for their GPUs, and compiling takes most of the time.
SHORT = {"isa-gfx942": "hist", "isa-gfx1100": "int-img", "isa-gfx1201": "sw"}


# Devices behind a fake driver, and the GPU for which the programs are compiled.
GPUS = {"ptx": "sm_90", "ir-gfx90a": "gfx90a", **{f"isa-{gpu}": gpu for gpu in device_ir.ISA_GPUS}}


def environment_of(device, folder):
    """Returns settings that make a program use the fake driver of a device; None if it has not been built."""
    return device_ir.environment(GPUS[device], folder, kind=device.partition("-")[0])


# Arguments of each program: small graphs, about 1,000 nodes, and about 4,000 and 9,000 nodes for --long.
SQUARE = {"small": ["1", "2 1", "5 3"], "1K": ["32"], "4K": ["64 4"], "9K": ["96 4"]}
SIZES = {
    "cholesky": {"small": ["1", "2 1", "5 3"], "1K": ["17"], "4K": ["28 4"], "9K": ["37 4"]},
    "dtw": {**SQUARE, "small": ["1", "2 1", "5 3 1", "7 2 0"]},
    "heat2d": {"small": ["1", "2 1 1", "5 3 3"], "1K": ["32 4 1"], "4K": ["64 4 1", "32 4 4"], "9K": ["96 4 1"]},
    "hist": SQUARE,
    "int-img": SQUARE,
    "sor": {**SQUARE, "small": ["1", "2 1", "5 3 3"]},
    "sparse-solve": {**SQUARE, "small": ["1", "2 1", "5 3 7"]},
    "sw": SQUARE,
}


def command_text(command, settings):
    return " ".join([*(f"{name}={value}" for name, value in settings.items()), shlex.join(command)])


def run(command, settings, timeout):
    """Returns (exit status, output, error output) of a command; the status is None past the time limit."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CILK2GPU_")}
    try:
        done = subprocess.run(command, env={**clean, **settings}, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "", f"ran past {timeout} s"
    return done.returncode, done.stdout, done.stderr


def compile_one(options, command):
    """Returns an error text or None."""
    status, _, errors = run(command, {}, 300)
    return None if status == 0 and not errors else f"{shlex.join(map(str, command))}\n  {errors.strip()[-2000:]}"


def program_of(options, name, device):
    return str(options.work / (f"{name}-{GPUS[device]}" if device in GPUS else name))


def library_of(options, name, device):
    return f"{program_of(options, name, device)}.so"


def compile_program(options, name, device=None):
    """Compiles a program for the host, or for the GPU of a device, too. Returns an error text or None."""
    compiler = [f"{options.driver}++", *shlex.split(options.flags), str(FOLDER / f"{name}.cpp")]
    if device:
        compiler += [f"--offload-arch={GPUS[device]}"]
    error = compile_one(options, [*compiler, "-o", program_of(options, name, device)])
    if error or not (device or "").startswith("ir-"):
        return error
    library = library_of(options, name, device)
    error = compile_one(options, [*compiler, "--emit=llvm", "-o", f"{library}.ir"])
    return error or compile_one(options, device_ir.command(f"{options.driver}++", f"{library}.ir", options.fake_drivers, library))


def result_of(output):
    """Returns the line of a program without its times."""
    return re.sub(r"[0-9.]+ ms", "TIME", output)


def run_case(options, command, settings, reference):
    """Returns an error text or None. `reference` is the line of the first device."""
    status, output, errors = run(command, settings, options.timeout)
    if status == 0 and result_of(output) == reference and output.endswith("; ok\n") and not errors:
        return None
    said = (output + errors).strip()[-500:] or "nothing"
    return f"exit status {status}, said: {said}\n  expected: {reference.strip()}\n  repeat: {command_text(command, settings)}"


def settings_of(options, name, device):
    """Returns (short text, environment) for each setting of a device."""
    if device in GPUS:
        shared = environment_of(device, options.fake_drivers)
        if device.startswith("ir-"):
            shared["FAKE_GPU_IMAGE"] = library_of(options, name, device)
    else:
        shared = {"CILK2GPU_DEVICE": device}
    found = []
    for more in DEVICES[device]:
        named = {key if key.startswith("FAKE_") else f"CILK2GPU_{key}": value for key, value in more.items()}
        found.append((" ".join([device, *more.values()]), {**shared, **named}))
    return found


def run_arguments(options, name, arguments, devices):
    """Runs a program with all settings of devices. Returns (name of the case, error or None) for each run."""
    reference = result_of(run([str(options.work / name), *arguments.split()], {"CILK2GPU_DEVICE": "serial"}, options.timeout)[1])
    found = []
    for device in devices:
        command = [program_of(options, name, device), *arguments.split()]
        for text, settings in settings_of(options, name, device):
            case = f"{name} {arguments} [{text}]"
            if re.search(options.filter, case):
                found.append((case, run_case(options, command, settings, reference)))
    return found


def check_program(options, name):
    """Compiles a program and runs it. Returns (name of the case, error or None) for each test."""
    devices = [device for device in DEVICES if (options.fake_drivers or device not in GPUS) and (options.long or SHORT.get(device, name) == name)]
    found = [(f"compile {name}", compile_program(options, name))]
    of_gpus = {GPUS[device]: device for device in reversed(devices) if device in GPUS}  # one compilation for each GPU: the first device's
    found += [(f"compile {name} for {device}", compile_program(options, name, device)) for device in of_gpus.values()]
    if any(error for _, error in found):
        return found
    sizes = SIZES[name]
    groups = ("small", "1K", "4K", "9K") if options.long else ("small", "1K")
    for arguments in (each for group in groups for each in sizes[group]):
        found += run_arguments(options, name, arguments, devices)
    wrong = run([str(options.work / name), "0"], {}, options.timeout)
    refused = wrong[0] == 1 and "must be a whole number from 1" in wrong[2]
    return found + [(f"{name} 0", None if refused else f"'{name} 0' was not refused: {wrong}")]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True, type=Path, help="the compiler, build/bin/cilk2gpu")
    parser.add_argument("--work", type=Path, default=Path("block-programs-out"), help="folder for the compiled programs")
    parser.add_argument("--flags", default="-std=c++17 -O2 -Wall -Wextra", help="flags for the compiler (default: -std=c++17 -O2 -Wall -Wextra)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only runs whose name matches")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (default: 1)")
    parser.add_argument("--timeout", type=int, default=60, help="seconds that a run may take (default: 60)")
    parser.add_argument("--long", action="store_true", help="also graphs of 4K and 9K nodes")
    options = parser.parse_args()
    options.driver, options.work = options.driver.resolve(), options.work.resolve()
    folder = options.driver.parent.parent / "test" / "unit" / "fake-drivers"
    options.fake_drivers = folder if all(environment_of(device, folder) for device in GPUS) else None
    if not options.fake_drivers:
        print("the fake drivers are not built: no program runs as code of a GPU")
    options.work.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse_options()
    unlisted = {path.stem for path in FOLDER.glob("*.cpp")} ^ set(SIZES)
    if unlisted:
        sys.exit(f"block-programs.py: SIZES and {FOLDER} differ in {', '.join(sorted(unlisted))}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [each for all_of_one in pool.map(lambda name: check_program(options, name), SIZES) for each in all_of_one]
    failed = [(case, error) for case, error in found if error]
    for case, error in failed:
        print(f"FAIL {case}\n  {error}", flush=True)
    summary = f"{len(found) - len(failed)} passed, {len(failed)} failed"
    print(summary)
    if os.environ.get("SUMMARY"):
        Path(os.environ["SUMMARY"]).write_text(summary + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
