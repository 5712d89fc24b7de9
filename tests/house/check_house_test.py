#!/usr/bin/env python3
"""Each rule of check_house.py is broken once in a small tree, and must be found."""
import tempfile
import unittest
from pathlib import Path

from check_house import MAX_VECTOR_BYTES, faults

HEADER = "/// What it is for.\n#pragma once\n"


class HouseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("CMakeLists.txt", "set(CUZK_ROOMS base field curve poly)\n")
        self.write("src/base/CMakeLists.txt", "cuzk_room(base LIBRARIES fmt::fmt)\n")
        self.write("src/field/CMakeLists.txt", "cuzk_room(field ROOMS base LIBRARIES x)\n")
        self.write("src/curve/CMakeLists.txt", "cuzk_room(curve ROOMS field)\n")
        self.write("src/poly/CMakeLists.txt", "cuzk_room(poly ROOMS field)\n")
        self.write("src/curve/point.h", HEADER + '#include "base/types.h"\n#include "field/fp.h"\n#include <vector>\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def expect(self, *parts):
        found = [f"{path.relative_to(self.root)}: {what}" for path, what in faults(self.root)]
        self.assertEqual(len(found), len(parts), found)
        for text, part in zip(found, parts):
            self.assertIn(part, text)

    def test_a_good_house_has_no_faults(self):
        self.expect()

    def test_a_room_below(self):
        self.write("src/field/fr.h", HEADER + '#include "curve/point.h"\n')
        self.expect("src/field/fr.h: room field includes room curve, which stands below it")

    def test_a_room_below_in_angle_brackets_and_deeper_folders(self):
        self.write("src/field/fast/fr.cpp", '  #  include <curve/point.h>\n')
        self.expect("stands below it")

    def test_a_room_above_that_is_not_named(self):
        self.write("src/poly/domain.cpp", '#include "curve/point.h"\n')
        self.expect("room poly includes room curve, which its CMakeLists.txt does not name")

    def test_a_folder_that_is_no_room(self):
        self.write("src/misc/misc.cpp", "")
        self.expect("src/misc: a folder")

    def test_long_files(self):
        self.write("tests/curve/long_test.cpp", "\n" * 501)
        self.expect("501 lines")

    def test_printing(self):
        for text in ("printf(", "std::fprintf (", "std::cout", "fmt::print"):
            self.write("src/base/log.cpp", text)
            self.expect("src/base/log.cpp: prints")
        self.write("src/base/log.cpp", "footprint(1); blueprints();\n")
        self.write("apps/cuzk/main.cpp", "std::cout")
        self.expect()

    def test_headers(self):
        self.write("src/base/a.h", "#pragma once\n")
        self.write("src/base/b.h", "/// Words.\n")
        self.write("src/base/fast_begin.h", "// One half of a pair.\n")
        self.expect("a header that does not begin", "without #pragma once")

    def test_unfinished_work(self):
        self.write("src/base/a.cpp", "// TO" + "DO: later\n")
        self.expect("unfinished")

    def test_large_vectors(self):
        self.write("tests/vectors/big.bin", "")
        with open(self.root / "tests/vectors/big.bin", "wb") as file:
            file.truncate(MAX_VECTOR_BYTES + 1)
        self.expect("tests/vectors: ")


if __name__ == "__main__":
    unittest.main()
