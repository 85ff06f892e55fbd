"""Calling GTP engines that answer, refuse, end, hang, flood and talk nonsense; what
is left of them afterwards.
"""

import os
import time
from pathlib import Path

import pytest

from rlcourse.gtp.client import EngineMissing, GtpClient, GtpError, GtpRefused
from tests.unit.gtp_programs import (
    ECHO,
    assert_programs_die_with_their_caller,
    commands,
    interrupt_at,
    nothing_left,
    pids,
    write_engine,
)

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="the programs of these tests are POSIX scripts"
)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """`program(answer, before)` gives the path of an engine."""
    with nothing_left(tmp_path, monkeypatch) as programs:
        yield lambda answer=ECHO, before="": write_engine(programs, answer, before)


def test_answers_in_order(program):
    with GtpClient([program()]) as client:
        assert client.name == "Dummy 1.5" and client.running
        assert client.ask("list black") == "list black"
        asked = [f"play b {k}" for k in range(3000)]  # more than a pipe holds
        assert client.ask_all(asked) == asked
        assert client.ask_all([]) == []
    assert not client.running


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("={number}\\n\\n", ""),
        ("={number} \\n\\n", ""),
        ("={number} C3\\r\\n\\r\\n", "C3"),
        ("={number}\\tC3  \\n\\n\\n\\n", "C3"),
        ("\\n\\n={number} C3\\n\\n", "C3"),
        ("={number} A1\\nB2\\n\\n", "A1\nB2"),
        ("={number}\\n A B\\n1 .\\n\\n", " A B\n1 ."),
        ("={number} 12\\n\\n", "12"),
        ("={number} \u00e9\\n\\n", "\u00e9"),
    ],
)
def test_forms_of_an_answer(program, said, text):
    with GtpClient(
        [program(f'sys.stdout.reconfigure(encoding="utf-8"); say(f"{said}")')]
    ) as client:
        assert client.ask("what") == text
        assert client.ask("again") == text


def test_a_refusal_leaves_the_engine_running(program):
    with GtpClient(
        [program('say(("?" if "bad" in command else "=") + number + " " + command + "\\n\\n")')]
    ) as client:
        with pytest.raises(GtpRefused, match="Dummy 1.5 refuses 'bad 1': bad 1"):
            client.ask_all(["good", "bad 1", "better", "bad 2", "best"])
        assert client.ask("well") == "well"
    assert commands(str(client._program.process.args[0]))[3:] == [
        "good",
        "bad 1",
        "better",
        "bad 2",
        "best",
        "well",
        "",
    ]


@pytest.mark.parametrize(
    "command", ["", " ", "a\nb", "a\rb", "play b C3 # good", "x" * 1001, "a\x00"]
)
def test_what_is_no_command_is_not_sent(program, command):
    with GtpClient([program()]) as client:
        with pytest.raises(ValueError, match="one line of up to 1000 characters"):
            client.ask(command)
        assert client.ask("fine") == "fine"


WORDS_OF_A_CHILD = """subprocess.Popen([sys.executable, "-SEc", "import os, time; "
    f"open({str(folder)!r} + '/pid-' + str(os.getpid()), 'w').close(); time.sleep(3_600)"])
while len(list(folder.glob("pid-*"))) < 2:
    time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            'sys.stderr.write("no\\nweights\\n\\nfound\\n"); sys.exit(3)',
            "has ended, asked 'genmove b'; .*: weights; found",
        ),
        ("sys.exit(0)", "has ended.*it left no words"),
        (WORDS_OF_A_CHILD + "os._exit(0)", "has ended"),  # the child keeps its output open
        (WORDS_OF_A_CHILD + "time.sleep(3_600)", "gave no answer in 0.4 s, asked 'genmove b'"),
        ("time.sleep(3_600)", "gave no answer in 0.4 s"),
        ('say(f"={number} C3\\n"); time.sleep(3_600)', "gave no answer in 0.4 s"),
        ("os.close(1); time.sleep(3_600)", "has ended"),
        (
            'signal = __import__("signal"); [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 13, 15)]\n'
            "time.sleep(3_600)",
            "gave no answer in 0.4 s",
        ),
        (
            'say(f"={number} ")\nwhile True: say("x" * 999 + "\\n")',
            "floods: 1,00.,... bytes without an end",
        ),
        ('while True: say("\\n" * 4096)', "gave no answer in 0.4 s"),
        ('while True: say("what? ")', "answers what is no GTP: 'what\\? "),
        ('say("Hello!\\n\\n")', "answers what is no GTP: 'Hello!'"),
        ('say("= C3\\n\\n")', "answers what is no GTP: '= C3'"),  # without the number
        ('say(f"={int(number) + 1} C3\\n\\n")', "answers what is no GTP"),
        ('say(f"={number[:-1]}")\ntime.sleep(3_600)', "gave no answer in 0.4 s"),
        ('say(chr(0) * 9 + "\\n\\n")', "answers what is no GTP"),
    ],
)
def test_what_goes_wrong_is_reported_and_not_waited_for(program, answer, words):
    client = GtpClient([program(answer)])
    client.timeout = 0.4 if "no answer" in words else 20
    with pytest.raises(GtpError, match=words) as error:
        client.ask("genmove b")
    assert str(error.value).startswith("Dummy 1.5 ") and not isinstance(error.value, GtpRefused)
    assert not client.running
    with pytest.raises(GtpError, match="it cannot be asked 'name'"):
        client.ask("name")
    client.close()


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (
            'sys.stderr.write("cannot open net.bin"); sys.exit(1)',
            "dummy has ended, asked 'protocol_version'; .*net.bin",
        ),
        ('KNOWN["protocol_version"] = "1"', "speaks GTP '1', not 2"),
        ('say("Welcome!\\n")', "answers what is no GTP: 'Welcome!"),
    ],
)
def test_what_does_not_start_is_reported(program, before, words):
    with pytest.raises(GtpError, match=words):
        GtpClient([program(before=before)], timeout=10)


def test_an_unasked_answer_is_noticed_at_the_next_question(program):
    client = GtpClient([program('say(f"={number} C3\\n\\n={number} D4\\n\\n")')])
    assert client.ask("genmove b") == "C3"
    with pytest.raises(GtpError, match="answers what is no GTP: '=4 D4'"):
        client.ask("genmove w")


def test_much_chatter_on_standard_error_blocks_nobody(program):
    with GtpClient(
        [program('sys.stderr.write("thinking " * 200_000); say(f"={number} C3\\n\\n")')]
    ) as client:
        assert client.ask("genmove b") == "C3"


@pytest.mark.slow
def test_it_ends_by_quit_and_its_children_with_it(program):
    path = program(before=WORDS_OF_A_CHILD)
    client = GtpClient([path])
    client.close()
    assert len(pids(Path(path).parent)) == 2  # the fixture looks that both are gone
    assert commands(path)[-1] == "" and Path(path).with_name("clean").exists()


@pytest.mark.slow
def test_what_does_not_quit_is_killed(program):
    path = program(answer='(folder / "busy").touch()\ntime.sleep(3_600)')
    client = GtpClient([path])
    client._program.process.stdin.write(b"1 genmove b\n")
    while not Path(path).with_name("busy").exists():
        time.sleep(0.01)
    client.close()
    assert not client.running and not Path(path).with_name("clean").exists()


def test_its_home_is_a_folder_of_its_own(program, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "elsewhere")
    answer = """home = Path.home()
(home / ".dummy").mkdir(exist_ok=True)
(home / ".dummy" / "history").write_text("C3")
say(f"={number} {home} {os.environ.get('XDG_CACHE_HOME')}\\n\\n")"""
    with GtpClient([program(answer)]) as client:
        home, cache = client.ask("where").split()
        assert Path(home) != Path.home() and Path(home, ".dummy").exists() and cache == "None"
    assert not Path(home).exists()


def test_a_program_that_is_not_there(program, tmp_path):
    with pytest.raises(EngineMissing, match="there is no program '/nowhere/engine'"):
        GtpClient(["/nowhere/engine"])
    script = tmp_path / "programs" / "script"
    script.write_bytes(b"\x7fELF nonsense")
    script.chmod(0o755)
    with pytest.raises(EngineMissing, match="cannot be started"):
        GtpClient([str(script)])


def test_an_interrupt_leaves_no_answer_behind(program, interruptible):
    path = program('(folder / "asked").touch(); time.sleep(3_600)')
    client = GtpClient([path])
    interrupt_at(Path(path).with_name("asked"))
    with pytest.raises(KeyboardInterrupt):
        client.ask("genmove b")
    with pytest.raises(GtpError, match="was interrupted, it cannot be asked 'name'"):
        client.ask("name")


def test_a_client_that_is_forgotten_takes_its_engine_along(program):
    client = GtpClient([program()])
    assert client.ask("hello") == "hello"
    del client  # the fixture looks that nothing is left


@pytest.mark.slow
def test_no_engine_outlives_a_process_that_is_killed(program, tmp_path):
    path = program(answer="time.sleep(3_600)", before=WORDS_OF_A_CHILD)
    script = f"""from rlcourse.gtp.client import GtpClient
client = GtpClient([{path!r}])
client._program.process.stdin.write(b"1 sleep\\n")"""
    assert_programs_die_with_their_caller(script, path, tmp_path)
