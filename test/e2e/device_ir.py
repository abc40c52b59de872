#!/usr/bin/env python3
"""Runs a GPU's code on this CPU, behind a fake driver. A device module's LLVM IR, as --emit=llvm prints it for a GPU, becomes a
library (test/unit/fake-drivers/IrImage.cpp). The IR still has the names of the hardware's intrinsics, and IrImage.cpp defines
functions with these names.

  device_ir.py --build BUILD --arch sm_90 --work FOLDER FLAGS AND FILES...     compiles a program, runs it, and ends as it does
  device_ir.py --build BUILD --arch sm_90 --work FOLDER --compiled ARGUMENTS   runs what an earlier call has compiled in the folder
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

# For each GPU, its driver, and the device that the driver reports.
GPUS = {"sm_90": ("cuda", "libfakecuda.so", "Fake=9.0"), "gfx90a": ("hip", "libfakehip6.so", "Fake=gfx90a"),
        "gfx1100": ("hip", "libfakehip6.so", "Fake=gfx1100")}

# GPUs whose code objects a fake driver runs as they are, instruction by instruction.
ISA_GPUS = ("gfx90a", "gfx942", "gfx1100", "gfx1201")


def environment(arch, folder, registered=False, kind="ir"):
    """Returns settings that make a program use the fake driver in the folder; None if it has not been built. `kind` says what the driver
    runs: "ir" or "ptx", or "isa" for machine code of AMD's GPUs."""
    driver, library, device = ("hip", "libfakehipisa.so", f"Fake={arch}") if kind == "isa" else GPUS[arch]
    if not (folder / library).exists() or not (folder / "libir-image.a").exists():
        return None
    return {"CILK2GPU_DEVICE": driver, f"CILK2GPU_{driver.upper()}_LIBRARY": str(folder / library), "FAKE_GPUS": device,
            "FAKE_GPU_MEMORY": str(1 << 32), "FAKE_GPU_PAGEABLE": "0" if registered else "1"}


HOST_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

# Applied in this order. Pointers of all address spaces have the host's size. A private pointer's number is an offset in a lane's
# stack.
REWRITES = [(re.compile(pattern, re.MULTILINE), text) for pattern, text in (
    (r'^target datalayout = ".*"', f'target datalayout = "{HOST_LAYOUT}"'),
    (r'^target triple = ".*"', 'target triple = "x86_64-unknown-linux-gnu"'),
    (r'"target-(cpu|features)"="[^"]*"', ""),
    (r"\b(ptx_kernel|amdgpu_kernel) ", ""),
    (r"ptrtoint ptr addrspace\(5\) (%[\w.]+) to i32", r"call i32 @lane_private_address(ptr \1)"),
    (r", addrspace\(\d+\)", ""),
    (r" addrspace\(\d+\)", ""),
    (r"\baddrspacecast\b", "bitcast"),
    (r"@llvm\.(nvvm|amdgcn)\.([\w.]+)", lambda match: f"@lane_{match[1]}_" + match[2].replace(".", "_")),
    (r"(@llvm\.[\w.]+?)((?:\.p\d+)+)\b", lambda match: match[1] + re.sub(r"\d+", "0", match[2])),
)]


NAME = r'%(?:"[^"]*"|[\w.$-]+)'
POINTER = rf"ptr(?: addrspace\((\d+)\))? ({NAME})"
# The text after a pointer must not be another element of a vector.
OF_INSTRUCTION = {"load": re.compile(rf", {POINTER}(?=[ ,]|$)"), "store": re.compile(rf", {POINTER}(?=[ ,]|$)"),
                  "cmpxchg": re.compile(rf" {POINTER},"), "atomicrmw": re.compile(rf" {POINTER},")}
OF_CALL = re.compile(rf"ptr(?: addrspace\((\d+)\))?((?: [a-z]\w*(?:\([^)]*\)| \d+)?)*) ({NAME})")
INSTRUCTION = re.compile(rf"^ +(?:{NAME} = )?(load|store|cmpxchg|atomicrmw) ")
MEMORY_CALL = re.compile(r"^ .*\bcall void @llvm\.mem(?:cpy|move|set)\.")


def accesses(line):
    """Returns (pointer, address space, alignment, is it written?) for each memory access of a line of IR through registers."""
    alignment = re.compile(r"\balign (\d+)")
    if instruction := INSTRUCTION.match(line):
        found = OF_INSTRUCTION[instruction[1]].findall(line)
        space, pointer = found[-1 if instruction[1] in ("load", "store") else 0] if found else ("", "")
        aligned = alignment.search(line)
        return [(pointer, int(space or 0), int(aligned[1]) if aligned else 1, instruction[1] != "load")] if found else []
    if MEMORY_CALL.match(line):
        return [(each[3], int(each[1] or 0), int(aligned[1]) if (aligned := alignment.search(each[2])) else 1, line[each.start() - 1] == "(")
                for each in OF_CALL.finditer(line)]
    return []


def with_checks(lines):
    """Adds calls before lines that access memory. They check that it is there, in its address space, and aligned (IrImage.cpp)."""
    for line in lines:
        for pointer, space, alignment, writes in accesses(line):
            # A private pointer becomes a host pointer together with all others.
            kind = f"ptr addrspace({space})" if space else "ptr"
            yield f"  call void @lane_access({kind} {pointer}, i32 {space}, i32 {alignment}, i1 zeroext {str(writes).lower()})"
        yield line
    yield "declare void @lane_access(ptr, i32, i32, i1 zeroext)"


def declarations_once(lines):
    """Drops repeated declarations, which differed in address spaces only. Operands of hardware functions need not be immediate."""
    seen = set()
    for line in lines:
        name = re.search(r"@[\w.]+\(", line) if line.startswith("declare ") else None
        if name and name[0] in seen:
            continue
        if name:
            seen.add(name[0])
        yield line.replace(" immarg", "") if name and name[0].startswith("@lane_") else line


def for_host(text):
    text = "\n".join(with_checks(text.splitlines()))
    for pattern, replacement in REWRITES:
        text = pattern.sub(replacement, text)
    if "@lane_private_address" in text:
        text += "\ndeclare i32 @lane_private_address(ptr)\n"
    return "\n".join(declarations_once(text.splitlines())) + "\n"


def command(driver, ir, folder, library):
    """Rewrites the IR in the file `ir`. Returns commands that compile it and link it to libir-image.a of the fake drivers."""
    rewritten = Path(f"{library}.ll")
    rewritten.write_text(for_host(Path(ir).read_text()))
    return [driver, "-w", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", str(rewritten), "-Wl,--whole-archive", str(folder / "libir-image.a"),
            "-Wl,--no-whole-archive", "--rtlib=compiler-rt", "-lm", "-o", str(library)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--arch", required=True, choices=GPUS)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--registered-memory", action="store_true", help="the GPU reaches registered memory only")
    parser.add_argument("--compiled", action="store_true", help="run the program that an earlier call has compiled; the rest are its arguments")
    options, rest = parser.parse_known_args()
    folder = options.build / "test" / "unit" / "fake-drivers"
    program, ir, library = (str(options.work / name) for name in ("program", "device.ll", "device.so"))
    if not options.compiled:
        driver = str(options.build / "bin" / ("cilk2gpu++" if any(each.endswith(".cpp") for each in rest) else "cilk2gpu"))
        options.work.mkdir(parents=True, exist_ok=True)
        compile_it = [driver, f"--offload-arch={options.arch}", *rest]
        subprocess.run([*compile_it, "-o", program], check=True)
        subprocess.run([*compile_it, "--emit=llvm", "-o", ir], check=True)
        subprocess.run(command(driver, ir, folder, library), check=True)
    os.environ.setdefault("CILK2GPU_WIDTH", "64")
    settings = {**environment(options.arch, folder, options.registered_memory), "FAKE_GPU_IMAGE": library}
    return subprocess.run([program, *(rest if options.compiled else [])], env={**os.environ, **settings}).returncode


if __name__ == "__main__":
    sys.exit(main())
