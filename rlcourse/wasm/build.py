"""The course's own Numba kernels as WebAssembly: `python -m rlcourse.wasm.build` writes one module
for each game into `modules/`.

Numba lowers a kernel to LLVM's language, which does not know yet on which machine it will run:
with its optimiser off, the sizes of pointers are not written out. Here the text loses what belongs
to Python, is given the 32-bit machine of WebAssembly, and only then optimised. Counts and indices
stay 64 bits wide, as Numba made them.

It needs `wasm-ld` (Debian: lld). Nobody who only plays needs it, because the modules are stored.
"""

import hashlib
import inspect
import json
import math
import os
import platform
import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from rlcourse.parts import MODULES, part_of

FOLDER = Path(__file__).with_name("modules")
TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
# Numba's settings: no optimisation before the machine is known, and nothing of this computer.
SETTINGS = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}

# Export -> module and kernel, and the types of the arguments: a type with its number of axes,
# "int64" or "float64" for a number, a tuple for a tuple.
RULES = ("int8 2", "int8 1", "bool 1", "float32 1")  # cells, to_play, done, points
TREE = ("edge 3", "int32 2", "bool 2", "float32 2", "int8 2", "int32 1")
PATHS = ("int64 2", "int64 2", "int64 1")  # nodes, actions, lengths
SEARCH = {
    "select": (
        "rlcourse.agents.search_tree:_select",
        ("edge 3", "int32 2", "bool 2", "int64", "float64", *PATHS),
    ),
    "backup": (
        "rlcourse.agents.search_tree:_backup",
        (TREE, PATHS, ("bool 1", "float32 1", "int8 1"))
        + ("int64 1", "bool 2", "float64 2", "float64 1"),
    ),
    "convolve": (
        "rlcourse.forward:_convolve",
        ("float32 3", "float32 3", "float32 1", "int64 2", "bool"),
    ),
}


def _grid(module: str) -> dict[str, tuple[str, tuple[Any, ...]]]:
    """The rules of a grid game."""
    return {
        "legal": (f"{module}:_legal", ("int8 2", "bool 1", "bool 2")),
        "play": (f"{module}:_play", (*RULES, "int64 2", "int64 1")),
        "playouts": (f"{module}:_playouts", (*RULES, "uint64 1", "float32 1")),
        "outcome": (f"{module}:_outcome", ("int8 1",)),
    }


# A game's own `RULES` stand in place of those of the grid games.
GAMES = {
    name: (getattr(part, "RULES", None) or _grid(f"rlcourse.games.{module}"))
    | getattr(part, "SEARCH", SEARCH)
    | part.KERNELS
    for name, module in MODULES.items()
    if (part := part_of("rlcourse.wasm", name))
}

# What a kernel calls from outside. Memory is taken from one end only: the loader puts `top` back
# after each call, so nothing has to be freed. MemInfo: count, two pointers, data, size.
# Only UCB1 takes logarithms, of whole numbers: a table holds what Python's `math.log` gives,
# because a browser's differs in the last bit for one whole number in a hundred.
# What only errors call is a trap, which the page reads as an error.
LOGARITHMS = 4096
RUNTIME = """
%MemInfo = type {{ i64, ptr, ptr, ptr, i64 }}
@top = global i32 0
@logarithms = internal constant [{count} x double] [{logarithms}]
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare double @llvm.fabs.f64(double)
declare void @llvm.trap()

define ptr @allocate(i64 %wide) {{
  %size = trunc i64 %wide to i32
  %old = load i32, ptr @top
  %raised = add i32 %old, 15
  %start = and i32 %raised, -16
  %end = add i32 %start, %size
  store i32 %end, ptr @top
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %last = lshr i32 %end, 16
  %missing = sub i32 %last, %pages
  %more = add i32 %missing, 1
  %enough = icmp slt i32 %more, 1
  br i1 %enough, label %done, label %grow
grow:
  %was = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %more)
  %failed = icmp eq i32 %was, -1
  br i1 %failed, label %none, label %done
none:
  call void @llvm.trap()
  unreachable
done:
  %place = inttoptr i32 %start to ptr
  ret ptr %place
}}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {{
  %whole = add i64 %size, 48
  %info = call ptr @allocate(i64 %whole)
  %data = getelementptr i8, ptr %info, i32 48
  %field = getelementptr %MemInfo, ptr %info, i32 0, i32 3
  store ptr %data, ptr %field
  ret ptr %info
}}

define ptr @NRT_Allocate(i64 %size) {{
  %place = call ptr @allocate(i64 %size)
  ret ptr %place
}}

define void @NRT_Free(ptr %place) {{
  ret void
}}

define {{ i64, i1 }} @product(i64 %a, i64 %b) {{
  %whole = mul i64 %a, %b
  %left = sitofp i64 %a to double
  %right = sitofp i64 %b to double
  %real = fmul double %left, %right
  %size = call double @llvm.fabs.f64(double %real)
  %over = fcmp oge double %size, 4.0e18
  %half = insertvalue {{ i64, i1 }} poison, i64 %whole, 0
  %both = insertvalue {{ i64, i1 }} %half, i1 %over, 1
  ret {{ i64, i1 }} %both
}}

define double @log(double %x) {{
  %whole = fptosi double %x to i64
  %again = sitofp i64 %whole to double
  %exact = fcmp oeq double %again, %x
  %fits = icmp ult i64 %whole, {count}
  %known = and i1 %exact, %fits
  br i1 %known, label %here, label %none
none:
  call void @llvm.trap()
  unreachable
here:
  %place = getelementptr [{count} x double], ptr @logarithms, i64 0, i64 %whole
  %value = load double, ptr %place
  ret double %value
}}
"""
TRAP = """
define {result} @{name} {{
  call void @llvm.trap()
  unreachable
}}
"""
TRAPS = {
    "log10(double %x)": "double",
    "pow(double %x, double %y)": "double",
    "NRT_MemInfo_alloc(i64 %size)": "ptr",
    "NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %dtor)": "ptr",
    "NRT_MemInfo_varsize_realloc(ptr %info, i64 %size)": "ptr",
    "PyErr_SetString(ptr %kind, ptr %text)": "void",
}


def runtime() -> str:
    """The functions of RUNTIME and TRAPS in LLVM's language."""
    whole = range(1, LOGARITHMS)
    numbers = [struct.pack(">d", value).hex() for value in (0.0, *map(math.log, whole))]
    logarithms = ", ".join(f"double 0x{number}" for number in numbers)
    traps = [TRAP.format(name=name, result=result) for name, result in TRAPS.items()]
    return RUNTIME.format(count=LOGARITHMS, logarithms=logarithms) + "".join(traps)


def sources(game: str) -> str:
    """A hash of all that decides what a game's module does: its kernels, the kernels that these
    call, the constants that they read, and this file."""
    parts = {"build": Path(__file__).read_text(encoding="utf-8")}
    for reference, arguments in GAMES[game].values():
        parts[reference] = repr(arguments)
        _collect(_kernel(reference), parts)
    return hashlib.sha256(json.dumps(sorted(parts.items())).encode()).hexdigest()


def _collect(kernel: Any, parts: dict[str, str]) -> None:
    """Add the source of a kernel, and of what it reaches by name, to `parts`."""
    python = kernel.py_func
    place = f"{python.__module__}.{python.__name__}"
    if place in parts:
        return
    parts[place] = inspect.getsource(python)
    for name in python.__code__.co_names:
        value = python.__globals__.get(name)
        if hasattr(value, "py_func"):
            _collect(value, parts)
        elif hasattr(value, "tolist"):
            parts[f"{place} {name}"] = f"{value.dtype} {value.tolist()}"
        elif isinstance(value, int | float | str | tuple):
            parts[f"{place} {name}"] = repr(value)


def _kernel(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def tools() -> dict[str, str]:
    """The versions of all that has a say in a module's bytes."""
    linker = subprocess.run(["wasm-ld", "--version"], capture_output=True, text=True, check=True)
    packages = {name: import_module(name).__version__ for name in ("numba", "llvmlite", "numpy")}
    return packages | {"python": platform.python_version(), "wasm-ld": linker.stdout.split()[-1]}


def lowered(kernel: Any, arguments: Sequence[Any], export: str) -> str:
    """A kernel in LLVM's language under the name `export`, without what belongs to Python."""
    kernel.compile(tuple(_type(argument) for argument in arguments))
    text = kernel.inspect_llvm(kernel.signatures[-1])
    name = kernel.overloads[kernel.signatures[-1]].fndesc.llvm_func_name
    wrapper = r"^define [^\n]*@(cfunc\.|_ZN7cpython)[^\n]*\{\n.*?^\}\n"
    text = re.sub(wrapper, "", text, flags=re.M | re.S)
    # Nothing is freed, so nothing is counted.
    text = re.sub(r"^ *(tail )?call void @NRT_(inc|dec)ref\([^\n]*\n", "", text, flags=re.M)
    # Pickled errors name files of this computer; the loader only asks whether there was one.
    pickled = r'^(@"?\.const\.pickle(?:data|buf)\.[^\n]*? constant) [^\n]*$'
    text = re.sub(pickled, r"\1 [1 x i8] zeroinitializer", text, flags=re.M)
    # Its own check of a product needs 128 bits, which this machine lacks.
    text = text.replace("@llvm.smul.with.overflow.i64(", "@product(")
    text = re.sub(r"(@PyExc_\w+) = external global i8", r"\1 = internal global i8 0", text)
    text = re.sub(r" = common (local_unnamed_addr )?global", " = internal global", text)
    text = re.sub(r"^target [^\n]*\n", "", text, flags=re.M)
    return text.replace(f"@{name}", f"@{export}")


def _type(argument: Any) -> Any:
    """Numba's type of an argument of `GAMES`."""
    import numba
    import numpy as np

    from rlcourse.agents.search_tree import EDGE

    if isinstance(argument, tuple):
        return numba.types.Tuple([_type(each) for each in argument])
    name, _, axes = argument.partition(" ")
    if not axes:
        return numba.from_dtype(np.dtype(name))
    return numba.typeof(np.empty((1,) * int(axes), EDGE if name == "edge" else name))


def linked(texts: dict[str, str]) -> bytes:
    """One module of kernels in LLVM's language, export -> text."""
    from llvmlite import binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, features="+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
    )
    objects = []
    for text in (runtime(), *texts.values()):
        header = f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n'
        module = llvm.parse_assembly(header + text)
        tuning = llvm.PipelineTuningOptions(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        objects.append(machine.emit_object(module))
    with tempfile.TemporaryDirectory() as folder:
        for number, code in enumerate(objects):
            Path(folder, f"{number}.o").write_bytes(code)
        options = ["--no-entry", "--strip-all", "--gc-sections", "-z", "stack-size=65536"]
        names = (*texts, "log", "allocate", "top", "__heap_base")
        exports = [f"--export={name}" for name in names]
        files = [f"{number}.o" for number in range(len(objects))]
        command = ["wasm-ld", *options, *exports, "-o", "out.wasm", *files]
        subprocess.run(command, cwd=folder, check=True)
        return Path(folder, "out.wasm").read_bytes()


def module(game: str) -> bytes:
    """The module of a game. Only for a process with SETTINGS in its environment."""
    return linked(
        {
            export: lowered(_kernel(reference), arguments, export)
            for export, (reference, arguments) in GAMES[game].items()
        }
    )


def build(folder: Path = FOLDER) -> None:
    """Write the modules of all games to a folder, with made.json: the hashes of each module and of
    its sources, and the tools."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {**os.environ, **SETTINGS, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-W", "ignore", "-m", "rlcourse.wasm.build", str(folder)]
        subprocess.run(command, env=settings, check=True)


def main() -> None:
    """Build in a process of its own, or be that process."""
    if len(sys.argv) == 1:
        build()
        return
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    modules = {game: module(game) for game in GAMES}
    for game, code in modules.items():
        (folder / f"{game}.wasm").write_bytes(code)
    made = {
        "modules": {game: hashlib.sha256(code).hexdigest() for game, code in modules.items()},
        "sources": {game: sources(game) for game in GAMES},
        "tools": tools(),
    }
    (folder / "made.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
