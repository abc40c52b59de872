"""patch.py IN OUT PLACE WORD...: writes 32-bit words into an image: at a byte of the note of cilk2gpu, at the entry, or at the
function whose demangled name is given."""
import struct
import subprocess
import sys

source, target, place, *words = sys.argv[1:]
image = bytearray(open(source, "rb").read())
if place.isdigit():
    at = image.index(b"cilk2gpu\0") - 12 + int(place)
else:
    entry, headers = struct.unpack_from("<QQ", image, 24)
    if place != "entry":
        names = subprocess.run(["llvm-nm", "-C", source], capture_output=True, text=True, check=True).stdout.splitlines()
        entry = next(int(name.split()[0], 16) for name in names if place in name)
    for index in range(struct.unpack_from("<H", image, 56)[0]):
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", image, headers + 56 * index)
        if kind == 1 and address <= entry < address + size:
            at = offset + entry - address
struct.pack_into(f"<{len(words)}I", image, at, *(int(word, 0) for word in words))
open(target, "wb").write(image)
