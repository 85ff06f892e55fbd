"""Hostile hand-ins that attack the grader around the box: family -> name -> files of
one student, path -> content.

Paths begin below the folder of hand-ins. `{me}` is the attacker's own folder, `{other}` the id of a
student who has handed in something right, `{name}` that student's name, `{number}` the sheet's
number. What makes a file on disk special stands in ODD.
"""

import io
import json
import os
import socket
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

RECEIPT_TIMES = (
    "9999-12-31T23:59:59-12:00",
    "9999-12-31T23:59:59",
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00",
    "-1",
    "1" * 200,
    "2026-11-20T10:00:00+23:59:59.999999",
    "10000-01-01T00:00:00",
    "2026-02-30T10:00:00",
    "٢٠٢٦-١١-٢٠T١٠:٠٠:٠٠",
    "\ud800",
)


def notebook(source: Any = "x = 1", **changes: Any) -> dict[str, Any]:
    """A hand-in of the sheet as JSON: one solution cell, `shaped_returns`, with this
    source, and one explanation.
    """
    entry = {
        "solution": True,
        "grade": False,
        "grade_id": "shaped_returns",
        "schema_version": 3,
        "locked": False,
    }
    words = {**entry, "grade_id": "explanation", "grade": True, "points": 30}
    cells = [
        {
            "cell_type": "code",
            "id": "a",
            "metadata": {"nbgrader": entry},
            "source": source,
            "outputs": [],
            "execution_count": 1,
        },
        {
            "cell_type": "markdown",
            "id": "b",
            "metadata": {"nbgrader": words},
            "source": changes.pop("words", "Far ahead."),
        },
    ]
    document = {
        "cells": cells,
        "metadata": {"rlcourse": {"sheet": "{number}", "release": 1}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return {**document, **changes}


def with_cell(**changes: Any) -> dict[str, Any]:
    """The same with other fields of its code cell."""
    document = notebook()
    document["cells"][0].update(changes)
    return document


def with_output(**output: Any) -> dict[str, Any]:
    """The same with one output."""
    return with_cell(outputs=[output])


def with_mark(**mark: Any) -> dict[str, Any]:
    """The same with another entry of the course in its metadata."""
    return notebook(metadata={"rlcourse": {"sheet": "{number}", "release": 1, **mark}})


def with_receipt(name: Any, time: Any = "2026-11-20T10:00:00", **more: Any) -> dict[str, Any]:
    """The same with a receipt."""
    return with_mark(hand_in={"name": name, "time": time, "fingerprint": "0", **more})


def packed(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def listing(number: int, offset: int = 0) -> bytes:
    """A zip of nothing but its table of contents, with so many entries that lie at this place."""
    head = (20, 0, 20, 0, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, offset)
    table = (struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", *head) + b"a") * number
    return table + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, number, number, len(table), 0, 0)


def png(width: int, height: int, rows: bytes, *chunks: tuple[bytes, bytes]) -> str:
    """A PNG in base64 that says that it has this size, with these rows and chunks more."""
    import base64

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [
        chunk(b"IHDR", head),
        *(chunk(*one) for one in chunks),
        chunk(b"IDAT", zlib.compress(rows)),
        chunk(b"IEND", b""),
    ]
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()


def nested(depth: int, inner: str = "1") -> str:
    """JSON text of lists inside one another."""
    return "[" * depth + inner + "]" * depth


def raw(text: str, key: str = "x") -> bytes:
    """A notebook with a value that is given as text, under this key of its first cell."""
    return json.dumps(with_cell(**{key: "@@@"})).replace('"@@@"', text).encode()


def picture(encoded: str) -> dict[str, Any]:
    """A notebook with this figure."""
    return with_output(output_type="display_data", data={"image/png": encoded}, metadata={})


OLD_CELL = {"cell_type": "code", "input": "x", "language": "python", "metadata": {}, "outputs": []}
OLD_OUTPUT = {"output_type": "stream", "stream": "stdout", "text": "x"}


def old_format(number: int, cells: list[Any]) -> dict[str, Any]:
    """A notebook of format 2 or 3."""
    sheets = [{"cells": cells, "metadata": {}}]
    return {"metadata": {}, "nbformat": number, "nbformat_minor": 0, "worksheets": sheets}


FORMAT_2 = old_format(2, [OLD_CELL] * 20_000)
FORMAT_3 = old_format(3, [{**OLD_CELL, "outputs": [OLD_OUTPUT] * 6_000}])


def many_keys(number: int) -> dict[str, Any]:
    """The same with so many entries in the metadata of its cell."""
    return with_cell(metadata={str(k): k for k in range(number)})


def same_hash(number: int) -> dict[str, Any]:
    """The same with so many numbers that a dict would take for one place."""
    return with_cell(metadata={"a": [k * (2**61 - 1) for k in range(number)]})


TEXTS = {
    "60,000 blank lines": notebook("\n" * 60_000),
    "60,000 lines of blanks": notebook("   \n" * 60_000),
    "60,000 tabs and returns": notebook("\t\r" * 60_000),
    "blank lines behind class": notebook("class" + "\n" * 60_000 + "x"),
    "half of a def": notebook("async " * 20_000 + "def"),
    "a sum of 400": notebook("raise ValueError(" + "+".join("1" * 400) + ")"),
    "a sum of 20,000": notebook("raise ValueError(" + "+".join("1" * 20_000) + ")"),
    "9,000 minus signs": notebook("raise " + "-" * 9_000 + "1"),
    "9,000 brackets": notebook("raise " + "(" * 9_000 + "1" + ")" * 9_000),
    "9,000 nots": notebook("raise " + "not " * 9_000 + "1"),
    "9,000 attributes": notebook("raise a" + ".a" * 9_000),
    "9,000 calls": notebook("raise a" + "()" * 9_000),
    "9,000 lambdas": notebook("raise " + "lambda:" * 9_000 + "1"),
    "ifs inside ifs": notebook("\n".join(" " * k + "if 1:" for k in range(120))),
    "50,000 names": notebook("\n".join(f"def shaped_return{k}(): pass" for k in range(9_000))),
    "a long name": notebook("def " + "shaped_returns" * 5_000 + "(): pass"),
    "an f-string in an f-string": notebook('f"' + "{f'" * 50),
    "bidirectional": notebook("x = 1  # \u202e)(\u2066\u2069", words="\u202e\u2066 far"),
    "zero bytes": notebook("x = '\0'", words="\0\x01\x1b[31m\x07"),
    "a surrogate in the code": notebook("x = '\ud800'", words="far"),
    "a surrogate in the words": notebook(words="far \ud800 \udfff ahead"),
    "a surrogate in a comment": notebook("# \udc80\nx = 1"),
    "surrogates the wrong way": notebook("x = '\udfff\ud800'", words="\udfff\ud800"),
    "400,000 characters of words": notebook(words="far " * 100_000),
    "one word of 400,000": notebook(words="x" * 400_000),
    "backticks": notebook(words="`" * 50_000),
    "one line of 190,000 blanks": notebook(" " * 190_000 + "x"),
    "one word of 190,000": notebook("a" * 190_000),
    "colons without end": notebook("a" + ":" * 190_000),
    "14,000 packages": notebook("\n".join(f"import a{k}" for k in range(14_000))),
    "brackets of imports": notebook("import a(\n" * 15_000),
    "names of the grader": notebook(
        "check = Reply = answer = __name__ = __file__ = 1\ndel __builtins__"
    ),
    "a formula behind a semicolon": notebook(words="x;=cmd|' /C calc'!A0"),
    "formulas": notebook(words="=cmd|' /C calc'!A0", source="=1+1"),
}
SHAPES = {
    "a surrogate as grade_id": with_cell(
        metadata={"nbgrader": {"solution": True, "grade_id": "\ud800"}}
    ),
    "a surrogate as id": with_cell(id="\ud800"),
    "a surrogate in an output": with_output(
        output_type="stream", name="stdout", text="\ud800\udfff"
    ),
    "a surrogate in plain text": with_output(
        output_type="execute_result", data={"text/plain": "\udc00"}
    ),
    "a surrogate as a key": with_cell(**{"\ud800": 1}),
    "a surrogate in the mark": with_mark(sheet="\ud800"),
    "grade_id of 1 MB": with_cell(
        metadata={"nbgrader": {"solution": True, "grade_id": "x" * 1_000_000}}
    ),
    "grade_id a list": with_cell(
        metadata={"nbgrader": {"solution": True, "grade_id": ["shaped_returns"]}}
    ),
    "grade_id twice": {**notebook(), "cells": notebook()["cells"] * 3},
    "grade_id 400 times": {**notebook(), "cells": notebook("x")["cells"][:1] * 400},
    "metadata null": notebook(metadata=None),
    "metadata a list": notebook(metadata=[["rlcourse", 1]]),
    "metadata of the cell a list": with_cell(metadata=[1]),
    "nbgrader a text": with_cell(metadata={"nbgrader": "solution"}),
    "source null": notebook(None),
    "source a number": notebook(7),
    "source a dict": notebook({"a": 1}),
    "source a list of numbers": notebook([1, 2]),
    "source lists in lists": raw(nested(900), "source"),
    "source lists in lists in lists": raw(nested(100_000), "source"),
    "outputs a number": with_cell(outputs=7),
    "outputs of lists": with_cell(outputs=[[], None, 7, {"data": []}, {"data": {"image/png": {}}}]),
    "outputs nested": raw(nested(900), "outputs"),
    "output text nested": raw(
        '[{"output_type": "stream", "name": "stdout", "text": ' + nested(900) + "}]", "outputs"
    ),
    "5,000 outputs": with_cell(
        outputs=[{"output_type": "stream", "name": "stdout", "text": "x"}] * 5_000
    ),
    "output of 8 MB": with_output(output_type="stream", name="stdout", text="x" * 8_000_000),
    "output of escapes": with_output(
        output_type="stream", name="stdout", text="\x1b[" + "1;" * 500_000
    ),
    "cell type a list": with_cell(cell_type=["code"]),
    "cells a dict": notebook(cells={"0": {}}),
    "cells null": notebook(cells=None),
    "cells of numbers": notebook(cells=[1, None, "x", [], {}]),
    "501 cells": notebook(cells=[{"cell_type": "code", "source": ""}] * 501),
    "cells nested": b'{"cells": ' + nested(100_000).encode() + b"}",
    "two million dicts": b'{"cells": [' + b'{"a":0},' * 1_900_000 + b"{}]}",
    "five million dicts": b'{"cells": [' + b"{}," * 5_000_000 + b"{}]}",
    "keys twice": b'{"cells": 1, "cells": [], "cells": [{"cell_type": "code", "source": "x"}]}',
    "not a number": raw("NaN", "execution_count"),
    "infinity": raw("-Infinity", "execution_count"),
    "a number of 5,000 digits": raw("9" * 5_000, "execution_count"),
    "a number of a million digits": raw("1" * 1_000_000, "execution_count"),
    "1e999": raw("1e999", "execution_count"),
    "release a float": with_mark(release=1.0),
    "release of 4,000 digits": raw("9" * 4_000, "x"),
    "release true": with_mark(release=True),
    "release negative": with_mark(release=-1),
    "sheet a list": with_mark(sheet=["{number}"]),
    "sheet ..": with_mark(sheet="../../etc"),
    "hand_in a list": with_mark(hand_in=[1]),
    "nbformat 99": notebook(nbformat=99),
    "format 2 of 20,000 cells": FORMAT_2,
    "format 3 of 6,000 outputs": FORMAT_3,
    "format 3 of nothing": {**FORMAT_2, "nbformat": 3, "worksheets": [None, 7, {}, {"cells": 7}]},
    "worksheets in worksheets": {**FORMAT_2, "worksheets": [FORMAT_2]},
    "700,000 keys": lambda: many_keys(700_000),
    "numbers of one hash": lambda: same_hash(300_000),
    "a key of 8 MB": lambda: with_cell(**{"k" * 8_000_000: 1}),
    "4,000 numbers of 4,000 digits": lambda: raw("[" + ",".join(["9" * 4_000] * 3_900) + "]"),
    "a fraction of 15 MB": lambda: raw("1." + "7" * 15_000_000, "execution_count"),
    "a sheet of 8 MB": lambda: with_mark(sheet="{number}" + "5" * 8_000_000),
    "a version of 2 million parts": lambda: notebook(
        metadata={"language_info": {"version": ["3"] * 2_000_000}}
    ),
    "names of Python's own": with_cell(__class__="x", __init__={}, source="x = 1", keys=None),
    "a list": b"[]",
    "a text": b'"x"',
    "nothing": b"",
    "half": json.dumps(notebook()).encode()[:300],
    "a brace": b"{",
    "UTF-16": json.dumps(notebook()).encode("utf-16"),
    "not UTF-8": b'{"cells": "\xff\xfe\xfa"}',
    "surrogates in UTF-8": b'{"cells": [], "x": "\xed\xa0\x80"}',
    "zeros": bytes(100_000),
    "noise": lambda: os.urandom(200_000),
    "15 MB of blanks": b" " * 15_000_000,
    "15 MB of line ends": b"\n" * 15_000_000,
    "20 MB": b"x" * 20_000_000,
}
PICTURES = {
    "a bomb": lambda: picture(png(60_000, 60_000, b"\0" * 1_000_000)),
    "a bomb that is true": lambda: picture(png(1_999, 2_000, (b"\0" * (3 * 1_999 + 1)) * 2_000)),
    "negative": lambda: picture(png(2**31 - 1, 1, b"")),
    "no rows": lambda: picture(png(100, 100, b"")),
    "a text bomb": lambda: picture(
        png(1, 1, b"\0\0\0\0", (b"zTXt", b"x\0\0" + zlib.compress(bytes(80_000_000))))
    ),
    "a profile bomb": lambda: picture(
        png(1, 1, b"\0\0\0\0", (b"iCCP", b"x\0\0" + zlib.compress(bytes(80_000_000))))
    ),
    "100,000 chunks": lambda: picture(png(1, 1, b"\0\0\0\0", *[(b"tEXt", b"a\0b")] * 100_000)),
    "a script": picture("PHNjcmlwdD4="),
    "no base64": picture("%%%\ud800"),
    "lists": with_output(output_type="display_data", data={"image/png": [["x"], 1]}),
    "a million frames": lambda: picture(
        png(1_500, 1_500, (b"\0" * 4_501) * 1_500, (b"acTL", struct.pack(">II", 10**6, 0)))
    ),
    "one dot wide": lambda: picture(png(1, 3_999_999, bytes(4) * 3_999_999)),
    "base64 of 15 MB": lambda: picture("A" * 15_000_000),
    "200 figures": with_cell(
        outputs=[*picture(png(10, 10, (b"\0" * 31) * 10))["cells"][0]["outputs"] * 200]
    ),
}
TIMES = {f"receipt of {time[:40]!a}": with_receipt("{me}", time) for time in RECEIPT_TIMES} | {
    "name a list": with_receipt(["{other}"]),
    "name of 100,000": with_receipt("x" * 100_000),
    "name with line ends": with_receipt("{me}\n{other}"),
    "name a surrogate": with_receipt("\ud800"),
    "check a list": with_receipt("{me}", check=[1]),
    "check a surrogate": with_receipt("{me}", check="\ud800" * 64),
}
SCRIPTS = {
    "one line of 190,000 blanks": b"def shaped_returns(): pass\n" + b" " * 190_000 + b"x",
    "tabs and a sign": b"def shaped_returns(): pass\n" + b"\t" * 190_000 + b"=",
    "60,000 fields": b"def shaped_returns(): pass\nx = f'" + b"{a}" * 60_000 + b"'",
    "90,000 attributes": b"def shaped_returns(): pass\nx = a" + b".a" * 90_000,
    "90,000 summands": b"def shaped_returns(): pass\nx = 1" + b"+1" * 90_000,
    "14,000 branches": b"def shaped_returns(): pass\nif a: pass\n" + b"elif a: pass\n" * 14_000,
    "15,000 warnings": b"def shaped_returns():\n" + b" a is 1\n" * 15_000,
    "a surrogate by its coding": b"# coding: unicode_escape\n# \xff\ndef shaped_returns(): return '\\ud800'\n",
    "a surrogate in its name": b"# coding: unicode_escape\n# \xff\ndef shaped_returns(): pass\nx = '\\udfff'\n"
    * 9,
    "a coding of its own": b"# coding: punycode\n# \xff\n" + b"a-" + b"9z" * 90_000,
    "a coding of nothing": b"# coding: undefined\n\xff",
    "a coding with a zero": b"# coding: utf-8\0\n\xff",
    "a coding that packs": b"# coding: bz2\n\xff",
}
ZIPS = {
    "a bomb": lambda: packed(("x.ipynb", bytes(15_000_000))),
    "a hundred bombs": lambda: packed(*((f"{k}.ipynb", b"ab" * 400_000) for k in range(150))),
    "slip": lambda: packed(("../{other}/x.ipynb", b"{}")),
    "slip with backslashes": lambda: packed(("..\\{other}\\x.ipynb", b"{}")),
    "absolute": lambda: packed(("/etc/x.ipynb", b"{}")),
    "zips in zips": lambda: packed(("a.zip", packed(("b.zip", packed(("c.ipynb", b"{}")))))),
    "100,000 names": lambda: packed(*((f"{k}", b"") for k in range(30_000))),
    "a long table of contents": lambda: packed(*((f"{k}" + "x" * 60_000, b"") for k in range(300))),
    "no zip": b"PK\x03\x04" + bytes(500),
    "cut": lambda: packed(("x.ipynb", b"{}" * 1_000))[:-40],
    "a comment": lambda: packed(("x.ipynb", b"{}")) + b"PK\x05\x06" * 100,
    "a name of nothing": lambda: packed((".", b"{}"), ("..", b"{}"), ("/", b"{}"), ("//", b"{}")),
    "a name with a zero": lambda: packed(
        ("a\0b.ipynb", b"{}"), ("\u202ecod.ipynb", b"{}"), ("a\nb.ipynb", b"{}")
    ),
    "names that differ in case": lambda: packed(("x.ipynb", b"{}"), ("X.IPYNB", b"{}")),
    "names of Windows": lambda: packed(
        ("con.ipynb", b"{}"),
        ("aux", b"{}"),
        ("a:b.ipynb", b"{}"),
        ("x.ipynb ", b"{}"),
        ("x.ipynb.", b"{}"),
    ),
    "one name in two forms": lambda: packed(
        ("\u00e4.ipynb", b"{}"),
        ("a\u0308.ipynb", b"{}"),
        ("\ufb01.ipynb", b"{}"),
        ("fi.ipynb", b"{}"),
    ),
    "folders without end": lambda: packed(("a/" * 20_000 + "x.ipynb", b"{}")),
    "names of accents": lambda: packed(
        *((f"{k}" + "\u0301\u0316" * 15_000, b"{}") for k in range(12))
    ),
    "60,000 entries of one name": lambda: listing(60_000),
    "an entry outside": lambda: listing(3, offset=2**31),
    "nothing": lambda: packed(),
}
WHOSE = {
    "a receipt in another's name": {"02_{other}_2026.ipynb": with_receipt("{name}")},
    "a receipt with another's id": {"z{me}.ipynb": with_receipt("{other}")},
    "a receipt in another's name at home": {"{me}/x.ipynb": with_receipt("{name}")},
    "another's folder at home": {"{me}/{other}/x.ipynb": notebook()},
    "another's file at home": {"{me}/{other}.ipynb": notebook()},
    "another's zip at home": {"{me}/{other}.zip": packed(("x.ipynb", b"{}"))},
    "another's folder in one's zip": {"{me}/a.zip": packed(("{other}/x.ipynb", b"{}"))},
    "Moodle's folder at home": {"{me}/{name}_7_assignsubmission_file_/x.ipynb": notebook()},
    "Moodle's folder in one's zip": {
        "{me}/a.zip": packed(("{name}_7_assignsubmission_file_/x.ipynb", b"{}"))
    },
    "Canvas's name at home": {"{me}/{other}_7_8_x.ipynb": notebook()},
    "Canvas's name beside the others": {"{other}_7_8_{me}.ipynb": notebook()},
    "Moodle's name beside the others": {"{name}_7_assignsubmission_file_{me}/x.ipynb": notebook()},
    "an unknown zip of another's": {"z{me}.zip": packed(("{other}/x.ipynb", b"{}"))},
    "an unknown zip as Moodle's": {
        "y{me}.zip": packed(("{name}_7_assignsubmission_file_/x.ipynb", b"{}"))
    },
    "an unknown folder": {"Eve {me}/{other}/x.ipynb": notebook()},
    "an unknown folder with Moodle's": {
        "Eva {me}/{name}_7_assignsubmission_file_/x.ipynb": notebook()
    },
    "another's folder in other letters": {"{me}/../{me}/{other}/x.ipynb": notebook()},
}
STAMP = b"1999-01-01 00:00:00.000000 UTC"
WHEN = {
    "a stamp at home": {"{me}/x.ipynb": notebook(), "{me}/timestamp.txt": STAMP},
    "a stamp in the sheet's folder": {
        "{me}/{number}/x.ipynb": notebook(),
        "{me}/{number}/timestamp.txt": STAMP,
    },
    "a stamp of 9999": {
        "{me}/{number}/x.ipynb": notebook(),
        "{me}/{number}/timestamp.txt": b"9999-12-31 23:59:59-23:00",
    },
    "a stamp of noise": {
        "{me}/{number}/x.ipynb": notebook(),
        "{me}/{number}/timestamp.txt": bytes(range(256)),
    },
    "a stamp in one's zip": {"{me}/a.zip": packed(("x.ipynb", b"{}"), ("timestamp.txt", STAMP))},
    "a stamp for another": {
        "{me}/{other}/{number}/timestamp.txt": STAMP,
        "{me}/x.ipynb": notebook(),
    },
    "a stamp beside the others": {"timestamp.txt": STAMP, "{me}/x.ipynb": notebook()},
    "a secret at home": {
        "{me}/{number}/submission_secret.txt": b"ab" * 64,
        "{me}/{number}/x.ipynb": notebook(),
    },
}
NAMES = {
    "a name of 255 bytes": {"{me}/" + "x" * 249 + ".ipynb": notebook()},
    "an ending alone": {"{me}/.ipynb": notebook(), "{me}/..ipynb": notebook()},
    "line ends": {"{me}/a\nb\r.ipynb": notebook()},
    "a direction": {"{me}/\u202egnp.ipynb": notebook()},
    "HTML": {"{me}/<img src=x onerror=alert(1)>.ipynb": notebook()},
    "a formula": {"{me}/=cmd|' C calc'!A0.ipynb": notebook()},
    "three hundred files": {f"{{me}}/{k}.ipynb": b"{}" for k in range(300)},
    "folders without end": {"{me}/" + "a/" * 900 + "x.ipynb": notebook()},
    "a formula behind a semicolon": {"{me}/a;=cmd|' C calc'!A0.ipynb": notebook()},
    "a formula in wide letters": {"{me}/\uff1dcmd.ipynb": notebook()},
    "names of Windows": {"{me}/con.ipynb": notebook(), "{me}/nul": b"", "{me}/aux.zip": b""},
    "blanks and dots": {
        "{me}/x.ipynb.": notebook(),
        "{me}/ .ipynb": notebook(),
        "{me}/x.ipynb ": b"{}",
    },
    "endings": {"{me}/x.ipynb.txt": notebook(), "{me}/x.json": notebook(), "{me}/x": notebook()},
    "the page of another": {"{me}/{other}.html": b"<script>", "{me}/class.html": b"<script>"},
    "a folder named as a notebook": {"{me}/x.ipynb/x.ipynb": notebook()},
}


def _undecodable(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff\xfe.ipynb")).write_bytes(b"{}")


def _old(year: float) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / "x.ipynb").write_bytes(b"{}")
        os.utime(folder / "x.ipynb", (year, year))

    return make


def _socket(folder: Path) -> None:
    here = os.getcwd()
    os.chdir(folder)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("x.ipynb")
    os.chdir(here)


def _sparse(folder: Path) -> None:
    with (folder / "x.zip").open("wb") as stream:
        stream.truncate(40 * 1024**3)


ODD: dict[str, Callable[[Path], None]] = {
    "a name that is no text": _undecodable,
    "a link to a secret": lambda folder: (folder / "x.ipynb").symlink_to("/etc/passwd"),
    "a link to itself": lambda folder: (folder / "x.ipynb").symlink_to("x.ipynb"),
    "a link to everything": lambda folder: (folder / "x").symlink_to("/"),
    "a link to the others": lambda folder: (folder / "x").symlink_to(".."),
    "a zip that is a link": lambda folder: (folder / "x.zip").symlink_to("/dev/zero"),
    "a pipe": lambda folder: os.mkfifo(folder / "x.ipynb"),
    "a pipe named as a zip": lambda folder: os.mkfifo(folder / "x.zip"),
    "a socket": _socket,
    "written in the year 9999": _old(253_402_300_000.0),
    "written before time": _old(-6e10),
    "a sparse zip of 40 GB": _sparse,
    "a closed folder": lambda folder: (folder / "closed").mkdir(mode=0),
}


def _at_home(entries: dict[str, Any], name: str = "x.ipynb") -> dict[str, dict[str, Any]]:
    return {key: {f"{{me}}/{name}": entry} for key, entry in entries.items()}


FAMILIES: dict[str, dict[str, Any]] = {
    "texts": _at_home(TEXTS),
    "shapes": _at_home(SHAPES),
    "pictures": _at_home(PICTURES),
    "times": _at_home(TIMES),
    "scripts": _at_home(SCRIPTS, "x.py"),
    "zips": _at_home(ZIPS, "x.zip"),
    "whose": WHOSE,
    "when": WHEN,
    "names": NAMES,
    "odd": dict(ODD),
}
ATTACKS = [(family, name) for family, entries in FAMILIES.items() for name in entries]


def write(folder: Path, family: str, attack: str, **places: str) -> list[str]:
    """Write the files of one attack below the folder of hand-ins; returns their paths in
    it, as the grader shows them.
    """
    entry, written = FAMILIES[family][attack], []
    if family == "odd":
        (folder / places["me"]).mkdir(parents=True)
        entry(folder / places["me"])
        return [places["me"]]
    for path, content in entry.items():
        content = content() if callable(content) else content
        if isinstance(content, dict):
            content = json.dumps(content).encode()
        for key, value in places.items():
            path, content = path.replace(f"{{{key}}}", value), _filled(content, key, value)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        written.append(path)
    return written


def _filled(content: bytes, key: str, value: str) -> bytes:
    mark = f"{{{key}}}".encode()
    if not content.startswith(b"PK"):
        return content.replace(mark, value.encode()) if len(content) < 1_000_000 else content
    if mark not in content:
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return packed(
            *(
                (one.filename.replace(mark.decode(), value), archive.read(one))
                for one in archive.infolist()
            )
        )
