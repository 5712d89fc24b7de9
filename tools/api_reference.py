#!/usr/bin/python3
"""Writes the reference of the interfaces as Markdown, from their own comments.

Usage: tools/api_reference.py proto FILE.proto     services, messages and enums of the wire contract
       tools/api_reference.py header FILE.h        functions, types and numbers of the C interface
The proto is read as protoc gives it, with its comments; the header by the rules that it is written by: a comment stands above
what it is about, "/* ---- Title ---- */" begins a part.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


# ---- The proto ----

def read_proto(file):
    from google.protobuf import descriptor_pb2  # Debian's python3-protobuf
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["protoc", f"-I{file.parent}", "--include_source_info", f"--descriptor_set_out={out.name}", str(file)], check=True)
        return descriptor_pb2.FileDescriptorSet.FromString(Path(out.name).read_bytes()).file[0]


class Proto:
    TYPES = {1: "double", 3: "int64", 4: "uint64", 5: "int32", 8: "bool", 9: "string", 12: "bytes", 13: "uint32"}

    def __init__(self, file):
        self.file = read_proto(file)
        self.comments = {tuple(place.path): (place.leading_comments + " " + place.trailing_comments).strip()
                         for place in self.file.source_code_info.location}

    def comment(self, *path):
        return self.comments.get(path, "")

    def type_of(self, field):
        name = self.TYPES.get(field.type) or field.type_name.rsplit(".", 1)[1]
        shown = name if field.type in self.TYPES else f"[{name}](#{name.lower()})"
        return ("repeated " if field.label == 3 else "") + shown

    def enum(self, enum, path, level):
        lines = [f"{'#' * level} {enum.name}", "", self.comment(*path), "", "| value | number | meaning |", "|---|---|---|"]
        lines += [f"| `{value.name}` | {value.number} | {cell(self.comment(*path, 2, i))} |" for i, value in enumerate(enum.value)]
        return lines + [""]

    def message(self, message, path):
        lines = [f"### {message.name}", "", self.comment(*path), ""]
        if message.field:
            lines += ["| field | number | type | meaning |", "|---|---|---|---|"]
            lines += [f"| `{field.name}` | {field.number} | {self.type_of(field)} | {cell(self.comment(*path, 2, i))} |"
                      for i, field in enumerate(message.field)]
        for i, enum in enumerate(message.enum_type):
            lines += [""] + self.enum(enum, (*path, 4, i), 4)
        return lines + [""]

    def service(self, service, path):
        lines = [f"## {self.file.package}.{service.name}", ""]
        for i, method in enumerate(service.method):
            names = [kind.rsplit(".", 1)[1] for kind in (method.input_type, method.output_type)]
            stream = "stream of " if method.server_streaming else ""
            lines += [f"### {method.name}", "", f"[{names[0]}](#{names[0].lower()}) to {stream}[{names[1]}](#{names[1].lower()})", "",
                      self.comment(*path, 2, i), ""]
        return lines

    def page(self):
        lines = ["# The wire contract", "", "Made from the comments of `proto/cuzk/v1/proving.proto`.", ""]
        for i, service in enumerate(self.file.service):
            lines += self.service(service, (6, i))
        lines += ["## Messages", ""]
        for i, message in enumerate(self.file.message_type):
            lines += self.message(message, (4, i))
        lines += ["## Enums", ""]
        for i, enum in enumerate(self.file.enum_type):
            lines += self.enum(enum, (5, i), 3)
        return lines


# ---- The header ----

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
TITLE = re.compile(r"\s*---- (.*) ----\s*")


def plain(comment):
    """A comment's text without what frames it; its paragraphs stay."""
    lines = [re.sub(r"^ ?\* ?", "", line.strip(" ")) for line in comment.strip().split("\n")]
    return "\n".join(lines).strip()


def blocks(text):
    """Comment and declarations below it, up to the next empty line or comment that begins a line."""
    for block in re.split(r"\n\s*\n", text):
        block = block.strip("\n")
        match = re.match(COMMENT, block)
        yield (plain(match.group(1)), block[match.end():].strip("\n")) if match else ("", block)


def header_page(file):
    text = file.read_text()
    begin, end = text.index("#define CUZK_ABI_VERSION"), text.rindex("#ifdef __cplusplus")
    head = plain(COMMENT.match(text).group(1))
    lines = ["# The C interface", "", "Made from the comments of `include/cuzk.h`.", "", "```text", head, "```", ""]
    pending = []
    for comment, code in blocks(text[begin:end]):
        if title := TITLE.fullmatch(comment):
            lines += [f"## {title.group(1)}", ""]
            continue
        if comment and not code:  # a comment of several paragraphs: its code comes with the next block
            pending.append(comment)
            continue
        names = re.findall(r"\b(cuzk_\w+)\s*\(|^}\s*(cuzk_\w+);|typedef \w+ (cuzk_\w+);|#define (CUZK_\w+)", code, re.M)
        name = next((part for found in names for part in found if part), None)
        if name:
            lines += [f"### {name}", ""]
        if comment:
            lines += [" ".join(part.split("\n")).replace("<", "&lt;").replace("*", "\\*") + "\n" for part in comment.split("\n\n")]
        if code:
            lines += ["```c", code, "```", ""]
    return lines


def main():
    kind, file = sys.argv[1], Path(sys.argv[2])
    print("\n".join(Proto(file).page() if kind == "proto" else header_page(file)))


if __name__ == "__main__":
    main()
