"""Damages the code for devices in an object file, byte by byte and by cutting it off, and links each: damage.py OBJECT LINKER

A damaged byte gives an error that names the file or, if nothing reads the byte, the same program."""
import os
import subprocess
import sys

source, linker = sys.argv[1:]
section, damaged, folder = "section.bin", "damaged.o", os.getcwd()
subprocess.run(["llvm-objcopy", "--dump-section", ".llvm.offloading=" + section, source], check=True)
whole = open(section, "rb").read()


def link(contents):
    with open(section, "wb") as file:
        file.write(contents)
    subprocess.run(["llvm-objcopy", "--update-section", ".llvm.offloading=" + section, source, damaged], check=True)
    command = [linker, "--cilk2gpu-linker=true", "--cilk2gpu-arch=sm_90", damaged, "-o", "program"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def check(what, contents):
    result = link(contents)
    named = result.returncode == 1 and "the code for devices in '" + damaged + "' " in result.stderr
    if not named:
        print(what, "gives status", result.returncode, result.stderr)
    return named


good = link(whole)
assert good.returncode == 0, good.stderr
for size in [1, 16, 40, 100, len(whole) // 2, len(whole) - 8]:
    check(f"the first {size} bytes", whole[:size])
# Bytes of the header, of the offsets that it names, of the strings and of the image. Left out are bytes that nobody reads: the
# image's kind, the offloading language, flags, and the triple, which is the second string.
number = lambda at: int.from_bytes(whole[at : at + 8], "little")
entry = number(16)
strings, count, image, size = (number(entry + 8 * i) for i in (1, 2, 3, 4))
keys = [(number(strings + 16 * i), number(strings + 16 * i + 8)) for i in range(count) if i != 1]
places = [*range(4), *range(8, 24), *range(entry + 8, entry + 40), *range(image, image + size, 997)]
places += [strings + 16 * i + at for i in range(count) if i != 1 for at in range(16)]
places += [at for pair in keys for text in pair for at in range(text, whole.index(0, text))]
for at in places[::3]:  # each byte takes two processes
    check(f"byte {at}", whole[:at] + bytes([whole[at] ^ (0x80 if at % 2 else 1)]) + whole[at + 1 :])
print("done")
