"""For which GPUs there is code in a program: the images that nvcc puts into it, read by their headers (cuobjdump is not where
packages are tested)."""
import struct

MAGIC = struct.pack("<I", 0xBA55ED50)
KINDS = {1: "compute", 2: "sm"}  # PTX, machine code


def images(data):
    """Names such as "sm_90", "compute_90" of all images."""
    found = set()
    at = data.find(MAGIC)
    while at >= 0:
        _, _, header, size = struct.unpack_from("<IHHQ", data, at)
        place, end = at + header, at + header + size
        while place < end:
            kind, _, entry_header, entry_size = struct.unpack_from("<HHIQ", data, place)
            (architecture,) = struct.unpack_from("<I", data, place + 28)
            found.add(f"{KINDS.get(kind, kind)}_{architecture}")
            place += entry_header + entry_size
        at = data.find(MAGIC, at + len(MAGIC))
    return found
