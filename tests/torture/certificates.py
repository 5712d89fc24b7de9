"""Who may connect over TCP: certificates that are right, foreign, expired, not yet valid, for another purpose, revoked, or
none."""
import subprocess
import time

import grpc

from subject import Subject, free_port

DAY_S = 86400
# name: authority, purpose, days from which and until which it holds
CLIENTS = {"right": ("ca", "clientAuth", -1, 30), "foreign": ("other", "clientAuth", -1, 30),
           "expired": ("ca", "clientAuth", -30, -2), "of tomorrow": ("ca", "clientAuth", 2, 30),
           "of a server": ("ca", "serverAuth", -1, 30), "revoked": ("ca", "clientAuth", -1, 30)}


def openssl(folder, *words):
    subprocess.run(["openssl", *map(str, words)], cwd=folder, check=True, capture_output=True)


def make_authority(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            f"{name}.key", "-out", f"{name}.pem", "-days", 30, "-subj", f"/CN={name}")
    place = folder / f"{name}.d"
    place.mkdir()
    (place / "index.txt").touch()
    (place / "serial").write_text("1000\n")
    (place / "ca.cnf").write_text(f"""
[ca]
default_ca = this
[this]
dir = {place}
database = {place}/index.txt
new_certs_dir = {place}
serial = {place}/serial
crlnumber = {place}/serial
default_crl_days = 30
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
""")


def make_certificate(folder, name, authority, purpose, begin, end):
    """NAME.key and NAME.pem; begin and end in days from now."""
    def date(days):
        return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY_S))
    openssl(folder, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
            "-addext", f"extendedKeyUsage={purpose}")
    openssl(folder, "ca", "-batch", "-config", f"{authority}.d/ca.cnf", "-cert", f"{authority}.pem", "-keyfile",
            f"{authority}.key", "-in", f"{name}.csr", "-out", f"{name}.pem", "-notext", "-startdate", date(begin), "-enddate",
            date(end))


def revoke(folder, name, authority):
    """In the list that the folder "revoked" has of the authority."""
    own = ("-config", f"{authority}.d/ca.cnf", "-cert", f"{authority}.pem", "-keyfile", f"{authority}.key")
    openssl(folder, "ca", *own, "-revoke", f"{name}.pem")
    (folder / "revoked").mkdir()
    openssl(folder, "ca", *own, "-gencrl", "-out", f"revoked/{authority}.crl")
    openssl(folder, "rehash", "revoked")


def answers(subject, folder, port, name):
    """Whether a client with this certificate gets an answer; None: with none."""
    key, chain = ((folder / f"{name}.{end}").read_bytes() if name else None for end in ("key", "pem"))
    credentials = grpc.ssl_channel_credentials((folder / "ca.pem").read_bytes(), key, chain)
    with grpc.secure_channel(f"127.0.0.1:{port}", credentials) as channel:
        calls = subject.tools.stubs.ProvingEngineStub(channel)
        try:
            calls.GetStatus(subject.tools.messages.GetStatusRequest(), timeout=20)
            return True
        except grpc.RpcError as error:
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAUTHENTICATED), error
            return False


def wrong_certificates(bench):
    """Only the right one gets in."""
    folder = bench.folder / "certificates"
    folder.mkdir()
    for authority in ("ca", "other"):
        make_authority(folder, authority)
    make_certificate(folder, "daemon", "ca", "serverAuth", -1, 30)
    for name, form in CLIENTS.items():
        make_certificate(folder, name, *form)
    revoke(folder, "revoked", "ca")
    port = free_port()
    tls = f"""[tls]
certificate = "{folder}/daemon.pem"
key = "{folder}/daemon.key"
client_ca = "{folder}/ca.pem"
client_crls = "{folder}/revoked"
"""
    subject = Subject(bench.tools, bench.folder / "d", tls, listen=f",127.0.0.1:{port}")
    try:
        subject.start()
        found = {str(name): answers(subject, folder, port, name) for name in (None, *CLIENTS)}
        expected = {str(name): name == "right" for name in (None, *CLIENTS)}
        assert found == expected, found
        subject.check_all()
        return {"let in": [name for name, is_in in found.items() if is_in], "kept out": len(found) - 1}
    finally:
        subject.end()


SCENARIOS = [wrong_certificates]
