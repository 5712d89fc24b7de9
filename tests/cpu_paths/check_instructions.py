#!/usr/bin/env python3
"""Says which functions of static libraries hold AVX-512 instructions that a processor without them may come to.

An inline function that is compiled between field/ifma_begin.h and field/ifma_end.h may be the one of all its copies that
the linker keeps, and then the whole program needs AVX-512. Only functions named for it may have such instructions."""
import re
import subprocess
import sys

OBJDUMP = ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", "-w"]
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
AVX512 = re.compile(r"%zmm|%k[1-7]\b|%[xy]mm(1[6-9]|2[0-9]|3[01])\b")
NAMED_FOR_IT = re.compile(r"ifma|Ifma|Lane")


def functions_with_avx512(disassembly):
    found, name = set(), ""
    for line in disassembly:
        if heading := FUNCTION.match(line.rstrip()):
            name = heading[1]
        elif AVX512.search(line):
            found.add(name)
    return found


def main(libraries):
    for library in libraries:
        text = subprocess.run(OBJDUMP + [library], capture_output=True, text=True, check=True).stdout
        found = functions_with_avx512(text.splitlines())
        if not found:
            print(f"{library}: no function with AVX-512 instructions, expected those of *_ifma.cpp")
            return 1
        if strays := sorted(name for name in found if not NAMED_FOR_IT.search(name)):
            print(f"{library}: functions with AVX-512 instructions that any processor may run:", *strays, sep="\n  ")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
