#!/usr/bin/env python3
"""Packs what is built and uses the packages as a stranger would.

Usage: package_test.py BUILD CPACK     SOURCE_DATE_EPOCH, CUZK_HARDENED, CUZK_WITH_CUDA: of the build
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fat_binary import images

BUILD, CPACK = None, None
PROGRAMS = ("cuzk", "cuzk-daemon", "cuzk-bench")
BARE = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"}
OF_THE_SYSTEM = re.compile(r"^(libc|libm|libdl|librt|libpthread|libresolv|ld-linux-x86-64)\.so")
GPU_CODE = {"sm_80", "sm_86", "sm_89", "sm_90", "compute_90", "sm_100", "sm_120"}


def output(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def pack(generator, compression, folder):
    """One package in a folder, compressed fast: the release's differs in nothing else."""
    output(CPACK, "--config", BUILD / "CPackConfig.cmake", "-G", generator, "-B", folder, "-D",
           f"CPACK_OUTPUT_FILE_PREFIX={folder}", *compression, cwd=BUILD, env={**os.environ, "LC_ALL": "C"})
    (package,) = [file for file in folder.iterdir() if file.suffix in (".deb", ".gz", ".zst", ".xz")]
    return package


def pack_deb(folder):
    return pack("DEB", ("-D", "CPACK_DEBIAN_COMPRESSION_TYPE=zstd"), folder)


def pack_tarball(folder):
    return pack("TZST", (), folder)


def owners_of(paths):
    """The packages of each file: asked for together, for each question reads the lists of all packages."""
    found = subprocess.run(["dpkg-query", "-S", *sorted(paths)], capture_output=True, text=True).stdout
    lines = [line.rsplit(": ", 1) for line in found.splitlines()]
    return {path: {package.split(":")[0] for package in packages.split(", ")} for packages, path in lines}


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.deb, cls.tarball = pack_deb(cls.new("deb")), pack_tarball(cls.new("tarball"))
        cls.root = cls.new("root")
        output("dpkg-deb", "-x", cls.deb, cls.root)
        output("tar", "-xf", cls.tarball, "-C", cls.new("anywhere"))
        (cls.unpacked,) = (cls.folder / "anywhere").iterdir()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def new(cls, name):
        (cls.folder / name).mkdir()
        return cls.folder / name

    def shipped(self):
        return [self.root / "usr/bin" / name for name in PROGRAMS] + [self.library(), self.core()]

    def library(self):
        return next((self.root / "usr/lib").rglob("libcuzk.so.1"))

    def core(self):
        (core,) = [file for file in (self.root / "usr/lib").rglob("libcuzk-core.so.*") if not file.is_symlink()]
        return core

    def test_the_deb_has_what_it_should(self):
        files = {str(path.relative_to(self.root)) for path in self.root.rglob("*")}
        expected = {"usr/bin/cuzk", "usr/bin/cuzk-daemon", "usr/bin/cuzk-bench", "usr/include/cuzk.h", "etc/cuzk/cuzk.toml",
                    "usr/lib/systemd/system/cuzk.service", "usr/lib/sysusers.d/cuzk.conf", "usr/lib/tmpfiles.d/cuzk.conf",
                    "usr/share/man/man1/cuzk.1", "usr/share/man/man1/cuzk-prove.1", "usr/share/man/man1/cuzk-daemon.1",
                    "usr/share/man/man1/cuzk-bench-single.1", "usr/share/bash-completion/completions/cuzk",
                    "usr/share/bash-completion/completions/cuzk-bench", "usr/share/bash-completion/completions/cuzk-daemon",
                    "usr/share/zsh/vendor-completions/_cuzk", "usr/share/fish/vendor_completions.d/cuzk.fish",
                    "usr/share/cuzk/prometheus/cuzk.rules.yml", "usr/share/cuzk/grafana/cuzk.json",
                    "usr/share/cuzk/proto/cuzk/v1/proving.proto", "usr/share/doc/cuzk/copyright", "usr/share/doc/cuzk/LICENSE-MIT",
                    "usr/share/doc/cuzk/docs/quickstart.md", "usr/share/doc/cuzk/sbom.cdx.json",
                    "usr/share/doc/cuzk/dependencies.md", "usr/share/doc/cuzk/examples/first-proof"}
        self.assertEqual(expected - files, set())
        private = [path.name for path in (self.core().parent).iterdir()]
        self.assertEqual([name for name in private if not name.startswith("libcuzk-core.so.")], [], "the libraries of others are Debian's")

    def test_its_control_data_names_libraries_and_configuration(self):
        fields = dict(re.findall(r"^(\S+): (.*)$", output("dpkg-deb", "-f", self.deb), re.M))
        self.assertEqual((fields["Package"], fields["Architecture"]), ("cuzk", "amd64"))
        for package in ("libc6 (>=", "libgrpc++", "libtbb12", "libsqlite3-0", "libssl3"):
            self.assertIn(package, fields["Depends"])
        control = self.new("control")
        output("dpkg-deb", "-e", self.deb, control)
        self.assertEqual((control / "conffiles").read_text(), "/etc/cuzk/cuzk.toml\n")
        self.assertIn("activate-noawait ldconfig", (control / "triggers").read_text())
        for script in ("postinst", "prerm", "postrm"):
            output("sh", "-n", control / script)

    def test_owners_are_root_and_the_day_is_the_commits(self):
        for line in output("dpkg-deb", "-c", self.deb, env={**BARE, "TZ": "UTC"}).splitlines():
            self.assertRegex(line, r"^\S+ root/root ")
        day = output("date", "-u", "-d", f"@{os.environ['SOURCE_DATE_EPOCH']}", "+%F %H:%M").strip()
        self.assertIn(day, output("dpkg-deb", "-c", self.deb, env={**BARE, "TZ": "UTC"}))

    @unittest.skipUnless(os.geteuid() == 0, "not root")
    def test_it_installs_into_a_fresh_root_with_user_and_directories(self):
        root = self.new("fresh")
        for name in ("var/lib/dpkg", "etc", "var/lib", "tmp"):
            (root / name).mkdir(parents=True, exist_ok=True)
        (root / "var/lib/dpkg/status").touch()
        dpkg = ("dpkg", f"--root={root}", "--force-script-chrootless", "--force-depends")
        output(*dpkg, "-i", self.deb, env=BARE)
        self.assertIn("installed", output("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f=${db:Status-Status}", "cuzk"))
        if shutil.which("systemd-sysusers"):
            self.assertRegex((root / "etc/passwd").read_text(), r"(?m)^cuzk:")
            self.assertTrue((root / "var/lib/cuzk").is_dir())
        output(*dpkg, "-r", "cuzk", env=BARE)
        self.assertFalse((root / "usr/bin/cuzk").exists())
        self.assertTrue((root / "etc/cuzk/cuzk.toml").exists(), "a configuration stays until a purge")

    def first_proof(self, prefix):
        environment = BARE | {name: os.environ[name] for name in ("CUZK_CIRCUITS",) if name in os.environ}
        return output(prefix / "share/doc/cuzk/examples/first-proof", "winning", prefix / "bin/cuzk", env=environment, timeout=600)

    def test_the_demo_runs_from_the_deb(self):
        self.assertIn("made, verified", self.first_proof(self.root / "usr"))

    def test_the_demo_runs_from_the_tarball_wherever_it_lies(self):
        self.assertIn("made, verified", self.first_proof(self.unpacked))

    def test_the_tarball_takes_nothing_but_the_c_library_from_the_system(self):
        for program in [*(self.unpacked / "bin").iterdir(), next(self.unpacked.rglob("libcuzk.so.1"))]:
            for name, path in re.findall(r"^\s*(\S+) => (\S+)", output("ldd", program, env=BARE), re.M):
                self.assertTrue(OF_THE_SYSTEM.match(name) or Path(path).resolve().is_relative_to(self.unpacked.resolve()),
                                f"{program.name} takes {name} from {path}")

    def test_packing_twice_gives_the_same_bytes(self):
        for first, again in ((self.deb, pack_deb), (self.tarball, pack_tarball)):
            self.assertEqual(digest(first), digest(again(self.new("again" + first.suffix))))

    def test_a_program_in_c_is_built_with_pkg_config(self):
        (self.folder / "a.c").write_text('#include <cuzk.h>\n#include <stdio.h>\nint main(void) { puts(cuzk_version()); return 0; }\n')
        pc = next((self.root / "usr").rglob("cuzk.pc")).parent
        flags = output("pkg-config", "--cflags", "--libs", "cuzk", env=BARE | {"PKG_CONFIG_PATH": str(pc)}).split()
        output("cc", self.folder / "a.c", "-o", self.folder / "a", *flags)
        version = output(self.folder / "a", env=BARE | {"LD_LIBRARY_PATH": str(self.library().parent)})
        self.assertEqual(version.strip(), output(self.root / "usr/bin/cuzk", "--version").strip())

    def test_binaries_are_hardened(self):
        for file in self.shipped():
            header = output("readelf", "-hldW", file)
            self.assertRegex(header, r"Type:\s+DYN", "not position independent")
            self.assertIn("GNU_RELRO", header)
            self.assertRegex(header, r"\(FLAGS\).*BIND_NOW|\(BIND_NOW\)")
            self.assertRegex(header, r"GNU_STACK.* RW ", "the stack can be executed")
        if os.environ.get("CUZK_HARDENED") in ("ON", "1"):
            for file in self.shipped():
                symbols = output("readelf", "-W", "--dyn-syms", file)
                self.assertIn("__stack_chk_fail", symbols, file.name)
                self.assertRegex(symbols, r"__\w+_chk@", file.name)

    def test_no_path_of_the_builder_is_in_a_hardened_binary(self):
        if os.environ.get("CUZK_HARDENED") not in ("ON", "1"):
            self.skipTest("not a hardened build")
        for file in self.shipped():
            self.assertNotIn(str(BUILD).encode(), file.read_bytes(), file.name)

    def test_the_bill_names_every_library(self):
        bill = json.loads((self.root / "usr/share/doc/cuzk/sbom.cdx.json").read_text())
        self.assertEqual((bill["bomFormat"], bill["specVersion"]), ("CycloneDX", "1.4"))
        names = {part["name"] for part in bill["components"]}
        for part in bill["components"]:
            self.assertTrue(part["version"] and part["purl"].startswith("pkg:deb/"), part)
            self.assertTrue(part["licenses"], f"no licence of {part['name']}")
        self.assertEqual({"libtomlplusplus-dev", "libcli11-dev"} - names, set(), "header-only libraries")
        paths = {path for library in self.shipped()
                 for _, path in re.findall(r"^\s*(\S+) => (\S+)", output("ldd", library), re.M)}
        owners = owners_of(paths | {os.path.realpath(path) for path in paths})
        for path in paths:
            if os.path.realpath(path) == os.path.realpath(self.core()):
                continue  # the package's own
            known = owners.get(path, set()) | owners.get(os.path.realpath(path), set())
            self.assertTrue(known & names, f"{path} of {known} is not in the bill")

    def test_there_is_code_for_each_architecture(self):
        if os.environ.get("CUZK_WITH_CUDA") not in ("ON", "1") or os.environ.get("CUZK_HARDENED") not in ("ON", "1"):
            self.skipTest("not a package build with CUDA")
        self.assertEqual(images(self.core().read_bytes()), GPU_CODE)
        self.assertEqual(images((self.root / "usr/bin/cuzk").read_bytes()), set(), "once is enough")

    def test_pages_and_completion_are_fit_for_use(self):
        output("bash", "-n", self.root / "usr/share/bash-completion/completions/cuzk")
        self.assertEqual(os.readlink(self.root / "usr/share/bash-completion/completions/cuzk-daemon"), "cuzk")
        self.assertIn(".SH OPTIONS", (self.root / "usr/share/man/man1/cuzk-serve.1").read_text())

    def test_the_unit_leaves_little_open(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze")
        unit = self.root / "usr/lib/systemd/system/cuzk.service"
        output("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit)  # 2.0 of 10

    def test_the_unit_is_accepted_by_systemd(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze")
        done = subprocess.run(["systemd-analyze", f"--root={self.root}", "verify", "cuzk.service"], capture_output=True, text=True)
        self.assertEqual(re.findall(r"cuzk\.service:\d+: .*", done.stderr), [], "lines that systemd does not understand")


if __name__ == "__main__":
    BUILD, CPACK = Path(sys.argv[1]).resolve(), sys.argv[2]
    unittest.main(argv=sys.argv[:1])
