"""patch.py IN OUT PLACE WORD: writes a 32-bit word at a byte of the note of cilk2gpu, or at the entry, of an image."""
import struct
import sys

source, target, place, word = sys.argv[1:5]
image = bytearray(open(source, "rb").read())
if place == "entry":
    entry, headers = struct.unpack_from("<QQ", image, 24)
    for index in range(struct.unpack_from("<H", image, 56)[0]):
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", image, headers + 56 * index)
        if kind == 1 and address <= entry < address + size:
            at = offset + entry - address
else:
    at = image.index(b"cilk2gpu\0") - 12 + int(place)
struct.pack_into("<I", image, at, int(word, 0))
open(target, "wb").write(image)
