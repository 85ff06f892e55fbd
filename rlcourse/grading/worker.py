"""The student's process: runs the handed-in cells, then calls functions when asked.

It knows no expected value. It runs as `python -I -B worker.py [RLIMIT_NAME=VALUE ...]`. Questions
come on stdin and answers go to stdout in lock-step, each one frame of `rlcourse.checks.plain`. The
handed-in code gets neither pipe: its stdin is empty, and what it prints is thrown away. Code that
looks for the pipes finds them, but all it gains is to answer for itself.
"""

import __future__

import ast
import importlib.util
import linecache
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import reduce
from importlib.abc import Loader
from operator import or_
from types import ModuleType
from typing import Any, BinaryIO

# The course that asks is the one that answers, also where it was found by PYTHONPATH, which
# Python's -I leaves out. Beside it nothing can be imported: tests and solutions may lie there.
_COURSE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, _COURSE)

from rlcourse.checks import calling, plain, withholding  # noqa: E402
from rlcourse.checks.task import Reply  # noqa: E402

sys.path.remove(_COURSE)

CHECKS, GRADING = "rlcourse.checks", "rlcourse.grading"
LATE = "matplotlib.pyplot"
_FEATURES = reduce(
    or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Masking:
    """A finder in front of all others, which hides what the hand-in must not use.

    Modules of checks and grading are imported empty. Withheld functions of other modules become
    stubs that raise, as soon as their module is loaded.
    """

    def __init__(self, withheld: list[str]) -> None:
        self._withheld: dict[str, list[str]] = {}
        for name in withheld:
            module, _, given = name.partition(":")
            self._withheld.setdefault(module, []).append(given)
        for module in set(self._withheld) & set(sys.modules):
            self._replace(sys.modules[module])

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """An empty module for checks and grader, one with stubs for a withheld one, else None."""
        if name.startswith((CHECKS + ".", GRADING)):
            return importlib.util.spec_from_loader(name, _Hollow(), is_package=name == GRADING)
        if name != LATE and name not in self._withheld:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None or spec.loader is None:
            return spec
        if name == LATE:
            # Loaded at its first use: sheets import it for what a person marks.
            spec.loader = importlib.util.LazyLoader(spec.loader)
        else:
            self._wrap(spec.loader)
        return spec

    def _wrap(self, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            """Load the module, then put the stubs in their places."""
            execute(module)
            self._replace(module)

        loader.exec_module = exec_module

    def _replace(self, module: ModuleType) -> None:
        for given in self._withheld[module.__name__]:
            for name in withholding.withheld_names(module, given):
                if reference := getattr(module, name, None):
                    stub = withholding.withheld_stub(f"{module.__name__}:{name}", reference)
                    setattr(module, name, stub)


class _Hollow(Loader):
    """Loads a module without its content.

    In a sheet every function does nothing, because check cells and the table are the notebook's
    business. In other modules every name is a stub that raises Withheld when it is called.
    """

    def exec_module(self, module: ModuleType) -> None:
        """Give the module names that are made when they are asked for."""

        def missing(name: str) -> Any:
            """The stand-in of a name that nobody defined."""
            if name.startswith("__"):
                raise AttributeError(name)
            stub = withholding.withheld_stub(f"{module.__name__}:{name}")
            is_sheet = module.__name__.startswith(f"{CHECKS}.sheet")
            return (lambda *_, **__: stub) if is_sheet else stub

        vars(module)["__getattr__"] = missing


class _Shell:
    """What `get_ipython()` gives.

    Magics that run code run it; what they would print, and all other magics, are left out.
    """

    def __init__(self, execute: Callable[[str], None]) -> None:
        self._run = execute

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> None:
        """`%time x = f()`, which binds x."""
        if name in ("time", "prun"):
            self._run(line)

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        """`%%time` or `%%capture` above the lines of a cell."""
        if name in ("time", "prun", "capture"):
            self._run(cell)

    def magic(self, line: str) -> None:
        """The old way to write a line magic."""
        self.run_line_magic(*line.lstrip("%").partition(" ")[::2])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: []


class Worker:
    """The answers to the three questions: withhold, run (a cell) and call (a function)."""

    def __init__(self) -> None:
        self._module = ModuleType("__main__")
        self._module.__dict__.update(display=lambda *_, **__: None)
        self._shell = _Shell(lambda text: self._execute(_parsed(text, "<magic>"), "<magic>"))
        self._desks: dict[str, calling.Desk] = {}  # function -> what outlasts a question to it
        # From __future__, as `compile` takes them; they hold for the statements that follow.
        self._features = 0
        sys.modules["__main__"] = self._module

    def answer(self, question: dict[str, Any]) -> Reply:
        """The answer to one question: withhold, run or call. What is raised becomes a Reply."""
        try:
            if question["do"] == "withhold":
                sys.meta_path.insert(0, Masking(question["names"]))
                return Reply("answer")
            if question["do"] == "run":
                lines = question.get("first", 1), question.get("last", sys.maxsize)
                return self._run(question["source"], question["number"], *lines)
            name = question["function"]
            if name not in self._module.__dict__:
                return Reply("missing", None, f"there is no function {name} in the hand-in")
            desk = self._desks.setdefault(name, calling.Desk())
            return calling.call(self._module.__dict__[name], question["question"], desk)
        except MemoryError as error:
            return Reply("out_of_memory", None, calling.describe(error))
        # SystemExit as well: a function that ends the process has not answered.
        except BaseException as error:
            return Reply("raised", None, calling.describe(error))

    def _run(self, source: str, number: int, first: int, last: int) -> Reply:
        """Run the statements of a cell that start in these lines.

        The first error is reported; the statements below it run all the same.
        """
        name, failed = f"<cell {number}>", ""
        try:
            statements = _parsed(source, name).body
        except SyntaxError as error:
            reason = f"{type(error).__name__}: {error.msg} (line {error.lineno})"
            return Reply("raised", None, reason)
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        for statement in statements:
            if first <= statement.lineno <= last:
                try:
                    self._execute(ast.Module([statement], []), name)
                except BaseException as error:
                    failed = failed or calling.describe(error)
        return Reply("raised", None, failed) if failed else Reply("answer")

    def _execute(self, statements: ast.Module, name: str) -> None:
        code = compile(statements, name, "exec", self._features, True)
        self._features |= code.co_flags & _FEATURES
        # Before every statement: `from IPython import get_ipython` of an exported script gives None
        # outside a notebook.
        self._module.__dict__["get_ipython"] = lambda: self._shell
        exec(code, self._module.__dict__)


def _parsed(source: str, name: str) -> ast.Module:
    """The statements of a cell; IPython's magics become calls of its shell."""
    try:
        return ast.parse(source, name)
    except (SyntaxError, ValueError):
        from IPython.core.inputtransformer2 import TransformerManager, leading_empty_lines

        manager = TransformerManager()
        if not source.lstrip().startswith("%%"):
            manager.cleanup_transforms.remove(leading_empty_lines)  # the numbers of the lines stay
        return ast.parse(manager.transform_cell(source), name)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer frames until the other side closes its end."""
    worker = Worker()
    while True:
        prefix = questions.read(plain.PREFIX.size)
        if len(prefix) < plain.PREFIX.size:
            return
        question = plain.decode(prefix + questions.read(plain.frame_size(prefix)), markers=True)
        reply = worker.answer(question)
        answers.write(_frame(question["nonce"], reply))
        answers.flush()


def _frame(nonce: int, reply: Reply) -> bytes:
    error = reply.error.encode(errors="replace").decode()[:500]
    content = {"nonce": nonce, "status": reply.status, "answer": reply.answer, "error": error}
    try:
        return plain.encode(content, plain.MAX_ANSWER + plain.ENVELOPE)
    except (plain.TooLarge, plain.NotPlain) as problem:
        status = "too_large" if isinstance(problem, plain.TooLarge) else "not_plain"
        content |= {"status": status, "answer": None, "error": str(problem)[:500]}
        return plain.encode(content)


def limit(settings: list[str]) -> None:
    """Set limits for good, such as "RLIMIT_CORE=0", of this process and all its children."""
    if settings:
        import resource

        for setting in settings:
            name, _, value = setting.partition("=")
            resource.setrlimit(getattr(resource, name), (int(value), int(value)))


def end_with(parent: int) -> None:
    """End this process when the grader's has ended, also while the handed-in code does not end."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def main() -> None:
    """Set the limits and answer questions. A box, which gives limits, ends with the grader anyway.

    Both pipes move away from the descriptors that handed-in code reads from and prints to.
    """
    limit(sys.argv[1:])
    if os.name == "posix" and not sys.argv[1:]:
        threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    serve(questions, answers)


if __name__ == "__main__":
    main()
