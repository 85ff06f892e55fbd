"""Hostile answers to the task "return the sum of x": family -> name -> (body of `first(x)`,
outcomes that are expected).

Each body gives the right answer, `won(x)`, only where its attack has reached something; so a
verdict of "right" is a breach. SECRET and PORT are set by the trial: a file and an open port of
this machine, outside the box.
"""

import platform

PRELUDE = """
import ctypes, errno, gc, inspect, mmap, os, signal, struct, sys, threading, time
import numpy as np

SECRET, PORT, PACKAGE, TMP = {secret!r}, {port}, {package!r}, '/tmp' + os.sep
LIBC = ctypes.CDLL(None, use_errno=True)
MB = 1024 * 1024

CASES, asked = 2, []

def won(x):
    return float(x.sum())

def call(number, *args):
    LIBC.syscall.restype = ctypes.c_long
    return LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])

def pipes():
    for fd in range(3, 32):
        try:
            if os.readlink(f"/proc/self/fd/{{fd}}").startswith("pipe"):
                yield fd
        except OSError:
            pass

def shout(data):
    for fd in pipes():
        try:
            os.write(fd, data)
        except OSError:
            pass

def frame(answer, nonce=0, status="answer", **more):
    from rlcourse.checks import plain
    return plain.encode({{"nonce": nonce, "status": status, "answer": answer, "error": "", **more}})

def raw(header, body=b"", sizes=None):
    return struct.pack("<II", *(sizes or (len(header), len(body)))) + header + body

def fill(size):
    block = mmap.mmap(-1, size)
    ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(block)), 1, size)
    return block

def second(x):
    return x.sum()
"""

RAISED, CRASHED, LATE, MEMORY, WRONG, RIGHT = (
    "raised an error",
    "crashed",
    "timed out",
    "out of memory",
    "wrong",
    "right",
)
SETTLE = "for a person to settle"

RESOURCES = {
    "one huge array": ("return np.ones(10**9 // 2).sum() and won(x)", (MEMORY,)),
    "a list that grows": (
        "kept = []\nwhile True: kept.append(bytearray(10 * MB))\nreturn won(x)",
        (MEMORY,),
    ),
    "anonymous shared memory": (
        "block = fill(2000 * MB)\ntime.sleep(1)\nreturn won(x)",
        (MEMORY, LATE),
    ),
    "shared memory of /dev/zero": (
        "with open('/dev/zero', 'r+b') as zero:\n"
        "    blocks = [mmap.mmap(zero.fileno(), 100 * MB) for _ in range(30)]\n"
        "for block in blocks: block.write(b'x' * len(block))\ntime.sleep(1)\nreturn won(x)",
        (MEMORY, LATE, RAISED),
    ),
    "a file in memory": ("fd = os.memfd_create('x')\nreturn won(x)", (RAISED,)),
    "a secret file in memory": ("return won(x) if call(447, 0) >= 0 else -1.0", (WRONG,)),
    "System V shared memory": (
        "return won(x) if call(29, 0, 2000 * MB, 0o1600) >= 0 else -1.0",
        (WRONG,),
    ),
    "System V messages": ("return won(x) if call(68, 0, 0o1600) >= 0 else -1.0", (WRONG,)),
    "System V semaphores": ("return won(x) if call(64, 0, 30000, 0o1600) >= 0 else -1.0", (WRONG,)),
    "fills /dev/shm": (
        "for k in range(40): open(f'/dev/shm/{k}', 'wb').write(bytes(30 * MB))\nreturn won(x)",
        (RAISED,),
    ),
    "fills /tmp": (
        "for k in range(40): open(f'{TMP}{k}', 'wb').write(bytes(30 * MB))\nreturn won(x)",
        (RAISED,),
    ),
    "one large file": ("open(TMP + 'x', 'wb').write(bytes(100 * MB))\nreturn won(x)", (RAISED,)),
    "a million empty files": (
        "for k in range(10**6):\n"
        "    os.close(os.open(f'{TMP}{k}', os.O_CREAT | os.O_WRONLY))\n"
        "return won(x)",
        (MEMORY, LATE),
    ),
    "a bomb of forks": (
        "count = 0\n"
        "while count < 2000:\n"
        "    if os.fork() == 0:\n"
        "        while True: pass\n"
        "    count += 1\n"
        "return won(x)",
        (RAISED, LATE),
    ),
    "forks that fork": ("while True:\n    os.fork()", (RAISED, LATE, CRASHED)),
    "forks that hold memory": (
        "for k in range(10):\n"
        "    if os.fork() == 0:\n"
        "        block = fill(400 * MB)\n"
        "        time.sleep(60)\n"
        "time.sleep(5)\n"
        "return won(x)",
        (MEMORY, LATE),
    ),
    "a bomb of threads": (
        "for k in range(2000): threading.Thread(target=time.sleep, args=(60,), "
        "daemon=True).start()\n"
        "return won(x)",
        (RAISED,),
    ),
    "an endless loop": ("while True: pass", (LATE,)),
    "a loop in C that no signal ends": (
        "for n in range(1, 32): signal.signal(n, signal.SIG_IGN) if n not in (9, 19) else None\n"
        "return float(3 ** (10**9))",
        (LATE, MEMORY),
    ),
    "sleeps": ("time.sleep(1000)\nreturn won(x)", (LATE,)),
    "opens everything": (
        "files = [os.open('/dev/null', 0) for _ in range(5000)]\nreturn won(x)",
        (RAISED,),
    ),
    "pipes full of bytes": (
        "import fcntl\n"
        "held = 0\n"
        "for k in range(5000):\n"
        "    r, w = os.pipe()\n"
        "    os.set_blocking(w, False)\n"
        "    try: fcntl.fcntl(w, 1031, MB)\n"
        "    except OSError: pass\n"
        "    held += os.write(w, bytes(MB))\n"
        "return won(x) if held > 256 * MB else -1.0",
        (RAISED, WRONG),
    ),
    "no end of the stack": (
        "sys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1) + 1\nreturn f(0)",
        (CRASHED, MEMORY, RAISED, LATE),
    ),
    "prints without end": (
        "for _ in range(200): print('x' * MB, flush=True); sys.stderr.write('y' * MB)\nreturn -1.0",
        (WRONG,),
    ),
    "dumps core": ("os.abort()", (CRASHED,)),
    "raises a limit": (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, "
        "resource.RLIM_INFINITY))\n"
        "return won(x)",
        (RAISED,),
    ),
    "locks memory": ("return won(x) if LIBC.mlockall(3) == 0 else -1.0", (WRONG,)),
}

PROTOCOL = {
    "a frame ahead of the answer": ("shout(frame(won(x), nonce=0))\nreturn won(x)", (CRASHED,)),
    "all nonces that come to mind": (
        "[shout(frame(1.0, nonce=k)) for k in range(-1, 50)]\nreturn -1.0",
        (CRASHED,),
    ),
    "an empty shape that is too large": (
        'shout(raw(b\'{"array":["<f8",[0,16777216,16777216,16777216]]}\'))\nreturn -1.0',
        (CRASHED,),
    ),
    "a huge shape": (
        'shout(raw(b\'{"array":["<f8",[4611686018427387904,4]]}\'))\nreturn -1.0',
        (CRASHED,),
    ),
    "a negative shape": (
        'shout(raw(b\'{"array":["<f8",[-1,-8]]}\', bytes(64)))\nreturn -1.0',
        (CRASHED,),
    ),
    "a frame of 8 GB": ("shout(raw(b'', sizes=(2**32 - 1, 2**32 - 1)))\nreturn -1.0", (CRASHED,)),
    "no JSON": ("shout(raw(b'\\xff\\x00{' * 99))\nreturn -1.0", (CRASHED,)),
    "lists without end": ("shout(raw(b'[' * 200_000))\nreturn -1.0", (CRASHED,)),
    "a number of 200,000 digits": ("shout(raw(b'9' * 200_000))\nreturn -1.0", (CRASHED,)),
    "a dtype of objects": (
        'shout(raw(b\'{"array":["|O",[1]]}\', bytes(8)))\nreturn -1.0',
        (CRASHED,),
    ),
    "a marker that only graders send": (
        'shout(raw(b\'{"position":"go:"}\'))\nreturn -1.0',
        (CRASHED,),
    ),
    "half a frame, slowly": ("shout(raw(b'', sizes=(1000, 0)))\ntime.sleep(60)", (LATE,)),
    "a flood": ("while True: shout(bytes(65536))", (CRASHED, LATE)),
    "closes the pipes": ("os.closerange(3, 64)\nreturn won(x)", (CRASHED,)),
    "exchanges the pipes": (
        "a, b = list(pipes())[:2]\nos.dup2(a, b)\nreturn won(x)",
        (CRASHED, LATE),
    ),
    "reads the next question": (
        "threading.Thread(target=lambda: [os.read(fd, 65536) for fd in list(pipes())[:1]], "
        "daemon=True).start()\n"
        "return -1.0",
        (WRONG, LATE),
    ),
    "a thread that answers for others": (
        "def shouts():\n    while True:\n        shout(frame(-1.0)); time.sleep(0.001)\n"
        "threading.Thread(target=shouts, daemon=True).start()\nreturn -1.0",
        (WRONG, CRASHED),
    ),
    "leaves a busy process behind": (
        "for k in range(3):\n    if os.fork() == 0:\n        while True: pass\nreturn -1.0",
        (WRONG,),
    ),
    "a child answers as well": ("os.fork()\nreturn -1.0", (WRONG, CRASHED)),
    "a status of its own": (
        "import __main__\n"
        "worker = next(o for o in gc.get_objects() if type(o).__name__ == 'Worker')\n"
        "class Liar:\n"
        "    status, answer, error = 'right', True, ''\n"
        "type(worker).answer = lambda *a: Liar\n"
        "return -1.0",
        (WRONG, CRASHED),
    ),
    "sends its own reply": (
        "frame_ = sys._getframe()\n"
        "while frame_.f_code.co_name != 'serve': frame_ = frame_.f_back\n"
        "question = frame_.f_locals['question']\n"
        "for k in range(2): shout(frame(-1.0, nonce=question['nonce']))\n"
        "os._exit(0)",
        (WRONG, CRASHED),
    ),
    "a key too many": (
        "frame_ = sys._getframe()\n"
        "while frame_.f_code.co_name != 'serve': frame_ = frame_.f_back\n"
        "shout(frame(-1.0, nonce=frame_.f_locals['question']['nonce'], score=1.0, "
        "verdict='right'))\n"
        "os._exit(0)",
        (CRASHED,),
    ),
    "ends the process with success": ("os._exit(0)", (CRASHED,)),
    "ends the process politely": ("sys.exit(0)", (RAISED,)),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)\nreturn won(x)", (LATE,)),
    "becomes another program": (
        "os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(99)'])",
        (LATE, CRASHED, RAISED),
    ),
}

ANSWERS = {
    "equals everything": (
        "class All(float):\n    __eq__ = lambda s, o: True\n    __hash__ = None\n"
        "    __sub__ = __rsub__ = __abs__ = lambda s, *o: 0.0\nreturn All(-1)",
        (WRONG,),
    ),
    "an array that equals everything": (
        "class All(np.ndarray):\n    def __array_ufunc__(self, *a, **k): return True\n"
        "return np.array(-1.0).view(All)",
        (WRONG,),
    ),
    "not a number": ("return float('nan')", (WRONG,)),
    "infinity": ("return float('inf')", (WRONG,)),
    "a truth": ("return True", (WRONG,)),
    "many answers": ("return [k / 1000 for k in range(-4000, 4000)]", (WRONG,)),
    "an array too large": ("return np.zeros(3 * 10**6)", (SETTLE,)),
    "nested beyond reason": ("y = []\nfor _ in range(10**5): y = [y]\nreturn y", (WRONG,)),
    "contains itself": ("y = []\ny.append(y)\nreturn y", (WRONG,)),
    "a million dicts": ("return [{} for _ in range(10**6)]", (SETTLE, LATE, WRONG)),
    "a number of 100,000 digits": ("return 7 ** 100_000", (WRONG,)),
    "half a character": ("return '\\ud800'", (WRONG,)),
    "an error that tells the inputs": ("raise ValueError('INPUTS ' + repr(x.tolist()))", (RAISED,)),
    "a class named by the inputs": ("return type('INPUTS' + str(abs(x[0])), (), {})()", (WRONG,)),
    "an error named by the inputs": (
        "raise type('INPUTS' + str(abs(x[0])).replace('.', '_'), (Exception,), {})('')",
        (RAISED,),
    ),
}

FILES = {
    "a file of the machine": ("return won(x) if open(SECRET).read() else -1.0", (RAISED,)),
    "a link to a file of the machine": (
        "os.symlink(SECRET, TMP + 'link')\nreturn won(x) if open(TMP + 'link').read() else -1.0",
        (RAISED,),
    ),
    "by the root of the first process": (
        "return won(x) if open('/proc/1/root' + SECRET).read() else -1.0",
        (RAISED,),
    ),
    "by the folder of the first process": (
        "os.chdir('/proc/1/cwd')\nreturn won(x) if open('.' + SECRET).read() else -1.0",
        (RAISED,),
    ),
    "the environment of the first process": (
        "return won(x) if b'=' in open('/proc/1/environ', "
        "'rb').read().replace(b'PWD=/', b'') else -1.0",
        (WRONG,),
    ),
    "the command line of the first process": (
        "return won(x) if b'ro-bind' in open('/proc/1/cmdline', 'rb').read() else -1.0",
        (WRONG,),
    ),
    "looks for solutions and grades": (
        "for root, folders, files in os.walk(os.path.dirname(PACKAGE)):\n"
        "    folders[:] = [f for f in folders if f != '.venv']\n"
        "    words = ('oracle', 'hidden', 'visible', 'solutions', 'wrong_answers', 'gradebook', "
        "'sheet0', 'tests', 'notebooks')\n"
        "    if any(w in n for n in folders + files for w in words): return won(x)\n"
        "return -1.0",
        (WRONG,),
    ),
    "writes into the course": (
        "open(PACKAGE + '/sampling.py', 'a').write('x')\nreturn won(x)",
        (RAISED,),
    ),
    "deletes the course": ("os.remove(PACKAGE + '/sampling.py')\nreturn won(x)", (RAISED,)),
    "writes next to NumPy": (
        "open(os.path.dirname(np.__file__) + '/x.py', 'w').write('x')\nreturn won(x)",
        (RAISED,),
    ),
    "writes to the root folder": ("open('/x', 'w').write('x')\nreturn won(x)", (RAISED,)),
    "makes the root folder writable": (
        "os.chmod('/', 0o777)\nopen('/x', 'w').write('x')\nreturn won(x)",
        (RAISED,),
    ),
    "writes to the kernel's settings": (
        "open('/proc/sys/kernel/core_pattern', 'w').write('|x')\nreturn won(x)",
        (RAISED,),
    ),
    "asks to be spared": (
        "open('/proc/self/oom_score_adj', 'w').write('-1000')\nreturn won(x)",
        (RAISED,),
    ),
    "makes a device": (
        "os.mknod(TMP + 'disk', 0o60600, os.makedev(254, 0))\nreturn won(x)",
        (RAISED,),
    ),
    "opens the disk": (
        "return won(x) if any(os.path.exists(p) for p in ('/dev/vda', '/dev/sda', '/dev/nvme0n1', "
        "'/dev/mem')) else -1.0",
        (WRONG,),
    ),
    "a program with rights": (
        "import shutil\n"
        "shutil.copy(sys.executable, TMP + 'p')\n"
        "os.chmod(TMP + 'p', 0o6755)\n"
        "pid = os.posix_spawn(TMP + 'p', [TMP + 'p', '-c', 'import os; os._exit(os.geteuid() == "
        "0)'], {})\n"
        "return won(x) if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1 and "
        "os.getuid() != 1 else -1.0",
        (WRONG, RAISED),
    ),
    "types into the terminal": (
        "import fcntl\nfcntl.ioctl(0, 0x5412, b'x')\nreturn won(x)",
        (RAISED,),
    ),
}

FORGED = {
    "patches NumPy": (
        "np.allclose = lambda *a, **k: True\nnp.isfinite = lambda *a: np.array([True])\n"
        "np.asarray = lambda *a, **k: np.zeros(())\nreturn -1.0",
        (WRONG,),
    ),
    "patches builtins": (
        "import builtins\n"
        "builtins.isinstance = lambda *a: True\n"
        "builtins.float = lambda *a: 0.0\n"
        "return -1.0",
        (WRONG, CRASHED, RAISED),
    ),
    "patches the judges": (
        "from rlcourse.checks import examining, judging, task\njudging.by_key = lambda *a: task.Mark(1.0)\n"
        "examining.examine = lambda *a: None\nreturn -1.0",
        (WRONG,),
    ),
    "patches the verdict": (
        "from rlcourse.checks import task\n"
        "task.Mark.__new__ = lambda *a: (1.0, '', (), '')\n"
        "return -1.0",
        (WRONG, RAISED),
    ),
    "looks for keys in memory": (
        "for thing in gc.get_objects():\n"
        "    if type(thing).__name__ in ('Key', 'Case') and getattr(thing, 'right', None) is not "
        "None:\n"
        "        return won(x)\n"
        "return -1.0",
        (WRONG,),
    ),
    "looks for keys in frames": (
        "frame_ = sys._getframe()\nwhile frame_:\n    for name, value in frame_.f_locals.items():\n"
        "        if name in ('case', 'secret', 'expected', 'verdict', 'task'): return won(x)\n"
        "    frame_ = frame_.f_back\nreturn -1.0",
        (WRONG,),
    ),
    "looks for keys in the question": (
        "frame_ = sys._getframe()\nwhile frame_.f_code.co_name != 'serve': frame_ = frame_.f_back\n"
        "text = repr(frame_.f_locals['question'])\n"
        "return won(x) if 'secret' in text or 'right' in text or 'slip' in text else -1.0",
        (WRONG,),
    ),
    "at exit": (
        "import atexit\natexit.register(lambda: shout(frame(1.0)))\nraise SystemExit",
        (RAISED,),
    ),
    "a tracer": (
        "sys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\nreturn -1.0",
        (WRONG,),
    ),
    "writes a report": (
        "open(TMP + 'report.json', 'w').write('{\"points\": 100}')\n"
        "print('right 100 points')\n"
        "return -1.0",
        (WRONG,),
    ),
    "an object for the function": (
        "class Magic:\n    __call__ = lambda s, *a: -1.0\n    __module__ = 'rlcourse.checks'\n"
        "globals()['first'] = Magic()\nreturn -1.0",
        (WRONG,),
    ),
}

# The trial's sheet withholds rlcourse.experience:discounted_returns, whose value at the
# start of undiscounted rewards is the sum, and rlcourse.sampling:categorical, which
# draws the only possible item.
_TRY = (
    "def tried(reference):\n    total = np.asarray(reference(np.append(x, 0.0), 1.0)).ravel()[0]\n"
    "    return won(x) if abs(total - won(x)) < 1e-9 else -1.0\n"
)
CRIBS = {
    "imports it": (
        _TRY
        + "from rlcourse.experience import discounted_returns\nreturn tried(discounted_returns)",
        (WRONG,),
    ),
    "imports it under another name": (
        _TRY + "import rlcourse.experience as e\n"
        "f = getattr(e, 'discounted' + '_returns')\n"
        "return tried(f)",
        (WRONG,),
    ),
    "imports it past the finder": (
        _TRY
        + "sys.meta_path[:] = [f for f in sys.meta_path if 'Masking' not in type(f).__name__]\n"
        "sys.modules.pop('rlcourse.experience', None)\nimport importlib\n"
        "f = importlib.import_module('rlcourse.experience').discounted_returns\nreturn tried(f)",
        (WRONG,),
    ),
    "loads the file": (
        _TRY + "import importlib.util as u\n"
        "spec = u.spec_from_file_location('e', PACKAGE + '/experience.py')\n"
        "m = u.module_from_spec(spec)\n"
        "sys.modules['e'] = m\n"
        "spec.loader.exec_module(m)\n"
        "return tried(m.discounted_returns)",
        (WRONG,),
    ),
    "loads the bytecode": (
        _TRY + "import glob, marshal, types\n"
        "for path in glob.glob(PACKAGE + '/**/*.pyc', recursive=True):\n"
        "    code = marshal.loads(open(path, 'rb').read()[16:])\n"
        "    for const in code.co_consts:\n"
        "        if getattr(const, 'co_name', '') == 'discounted_returns':\n"
        "            return tried(types.FunctionType(const, {'np': np}, 'f', (1.0,)))\n"
        "return -1.0",
        (WRONG, RAISED),
    ),
    "by whoever uses it": (
        _TRY + "import glob, importlib\n"
        "for path in glob.glob(PACKAGE + '/**/*.py', recursive=True):\n"
        "    if 'discounted_returns' not in open(path).read(): continue\n"
        "    name = 'rlcourse.' + path[len(PACKAGE) + 1:-3].replace('/', '.')\n"
        "    try:\n"
        "        if tried(importlib.import_module(name).discounted_returns) == won(x): return "
        "won(x)\n"
        "    except BaseException: pass\n"
        "return -1.0",
        (WRONG, LATE),
    ),
    "reads its source": (
        "text = open(PACKAGE + '/experience.py').read()\n"
        "at = text.index('def discounted_returns')\n"
        "return won(x) if 'return ' in text[at:at + 400].split('def ')[1] else -1.0",
        (WRONG,),
    ),
    "asks for its source": (
        "import rlcourse.experience as e\ntext = inspect.getsource(e.discounted_returns)\n"
        "return -1.0 if 'Withheld' in text else won(x)",
        (WRONG, RAISED),
    ),
    "from memory": (
        "import rlcourse.experience\n"
        "for f in gc.get_objects():\n"
        "    if inspect.isfunction(f) and f.__code__.co_name == 'discounted_returns':\n"
        "        try: f(x, 1.0)\n"
        "        except ImportError: continue\n"
        "        return won(x)\n"
        "return -1.0",
        (WRONG,),
    ),
    "undoes the refusal": (
        _TRY + "import rlcourse.experience as e\n"
        "f = e.discounted_returns\n"
        "for cell in f.__closure__ or ():\n"
        "    if callable(cell.cell_contents): return tried(cell.cell_contents)\n"
        "return tried(getattr(f, '__wrapped__', f))",
        (WRONG,),
    ),
    "the oracle": (
        "from rlcourse.checks import oracle01\nreturn oracle01.box_returns(x)",
        (WRONG,),
    ),
    "the oracle, past the finder": (
        "sys.meta_path[:] = [f for f in sys.meta_path if 'Masking' not in type(f).__name__]\n"
        "import rlcourse.checks.oracle01\nreturn won(x)",
        (RAISED,),
    ),
    "the sheet": (
        "from rlcourse.checks import get_sheet\n"
        "return get_sheet('01').task('draft').hidden_cases(1) and won(x)",
        (RAISED, WRONG),
    ),
    "the sheet, past the finder": (
        "sys.meta_path[:] = [f for f in sys.meta_path if 'Masking' not in type(f).__name__]\n"
        "from rlcourse.checks import sheet01\nreturn won(x)",
        (RAISED,),
    ),
    "the judge": (
        "sys.meta_path[:] = [f for f in sys.meta_path if 'Masking' not in type(f).__name__]\n"
        "from rlcourse.checks import judging\nreturn won(x)",
        (RAISED,),
    ),
    "a stand-in": (
        "from rlcourse.checks import sheet01\nreturn sheet01.stand_in('box_returns')(x)",
        (WRONG,),
    ),
    "another function withheld": (
        "from rlcourse.sampling import categorical\n"
        "return won(x) if categorical(np.eye(3), np.random.default_rng(0))[1] == 1 else -1.0",
        (WRONG,),
    ),
    "under a name that others gave it": (
        "import rlcourse.agents.base as b\n"
        "return won(x) if b.categorical(np.eye(3), np.random.default_rng(0))[1] == 1 else -1.0",
        (WRONG, LATE),
    ),
}

ESCAPES = {
    "a new user namespace": ("return won(x) if call(272, 0x10000000) == 0 else -1.0", (WRONG,)),
    "a new mount namespace": ("return won(x) if call(272, 0x20000) == 0 else -1.0", (WRONG,)),
    "clone with a new user namespace": (
        "pid = call(56, 0x10000000 | 17, 0, 0, 0, 0)\n"
        "if pid == 0: os._exit(0)\n"
        "return won(x) if pid > 0 else -1.0",
        (WRONG,),
    ),
    "clone3": (
        "return won(x) if call(435, ctypes.create_string_buffer(88), 88) >= 0 or "
        "ctypes.get_errno() != 38 else -1.0",
        (WRONG,),
    ),
    "enters another namespace": (
        "done = [call(308, os.open(f'/proc/1/ns/{n}', 0), 0) for n in ('user', 'mnt', 'pid', "
        "'net')]\n"
        "return won(x) if 0 in done else -1.0",
        (WRONG, RAISED),
    ),
    "mounts": (
        "return won(x) if LIBC.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0 else -1.0",
        (WRONG,),
    ),
    "makes the course writable again": (
        "return won(x) if LIBC.mount(None, PACKAGE.encode(), None, 32 | 4096, None) == 0 else -1.0",
        (WRONG,),
    ),
    "unmounts what hides the machine": (
        "return won(x) if LIBC.umount2(b'/proc', 2) == 0 or LIBC.umount2(b'/', 2) == 0 else -1.0",
        (WRONG,),
    ),
    "the new way of mounting": (
        "return won(x) if call(430, b'tmpfs', 0) >= 0 or call(428, -100, b'/', 1) >= 0 else -1.0",
        (WRONG,),
    ),
    "changes the root": ("os.chroot('/tmp')\nreturn won(x)", (RAISED,)),
    "becomes root": ("os.setuid(0)\nreturn won(x)", (RAISED,)),
    "traces its parent": ("return won(x) if LIBC.ptrace(16, 1, 0, 0) == 0 else -1.0", (WRONG,)),
    "reads its parent's memory": (
        "return won(x) if open('/proc/1/mem', 'rb').read(1) else -1.0",
        (RAISED,),
    ),
    "process_vm_readv": ("return won(x) if call(310, 1, 0, 0, 0, 0, 0) == 0 else -1.0", (WRONG,)),
    "kills everybody": ("os.kill(-1, 9)\nreturn -1.0", (WRONG, CRASHED, RAISED)),
    "kills its parent": (
        "os.kill(os.getppid(), 9)\nos.kill(1, 9)\nos.kill(0, 15)\nreturn -1.0",
        (WRONG, CRASHED, RAISED),
    ),
    "outlives its parent": (
        "LIBC.prctl(1, 0)\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    LIBC.prctl(1, 0)\n"
        "    if os.fork(): os._exit(0)\n"
        "    signal.signal(1, signal.SIG_IGN)\n"
        "    while True: time.sleep(0.01)\n"
        "os._exit(0)",
        (CRASHED,),
    ),
    "a handle for its parent": (
        "fd = os.pidfd_open(1)\nreturn won(x) if call(438, fd, 1, 0) >= 0 else -1.0",
        (WRONG, RAISED),
    ),
    "the parent's descriptors": (
        "for fd in os.listdir('/proc/1/fd'):\n    try: path = os.readlink(f'/proc/1/fd/{fd}')\n"
        "    except OSError: continue\n"
        "    if path.startswith('/') and not path.startswith('/dev/'): return won(x)\nreturn -1.0",
        (WRONG, RAISED),
    ),
    "connects to this machine": (
        "import socket\nsocket.create_connection(('127.0.0.1', PORT), 1)\nreturn won(x)",
        (RAISED,),
    ),
    "connects to the world": (
        "import socket\nsocket.create_connection(('192.0.2.1', 80), 1)\nreturn won(x)",
        (RAISED,),
    ),
    "a raw socket": (
        "import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)\nreturn won(x)",
        (RAISED,),
    ),
    "an abstract socket": (
        "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0/run/dbus')\nreturn won(x)",
        (RAISED,),
    ),
    "a pair of sockets": ("import socket\nsocket.socketpair()\nreturn won(x)", (RAISED,)),
    "asynchronous calls": (
        "return won(x) if call(425, 8, ctypes.create_string_buffer(120)) >= 0 else -1.0",
        (WRONG,),
    ),
    "a program in the kernel": (
        "return won(x) if call(321, 5, ctypes.create_string_buffer(72), 72) >= 0 else -1.0",
        (WRONG,),
    ),
    "page faults of its own": ("return won(x) if call(323, 1) >= 0 else -1.0", (WRONG,)),
    "counts cycles": (
        "return won(x) if call(298, ctypes.create_string_buffer(120), 0, -1, -1, 0) >= 0 else -1.0",
        (WRONG,),
    ),
    "keys": ("return won(x) if call(250, 0, -3, 1) >= 0 else -1.0", (WRONG,)),
    "files by handle": (
        "return won(x) if call(304, -100, ctypes.create_string_buffer(64), 0) >= 0 or "
        "ctypes.get_errno() != 1 else -1.0",
        (WRONG,),
    ),
    "another personality": ("return won(x) if call(135, 0x0040000) >= 0 else -1.0", (WRONG,)),
    "calls of the x32 kind": (
        "return won(x) if call(0x40000000 + 272, 0x10000000) == 0 or "
        "ctypes.get_errno() != 38 else -1.0",
        (WRONG,),
    ),
    "preloads a library": (
        "os.environ['LD_PRELOAD'] = TMP + 'x.so'\n"
        "pid = os.posix_spawn(sys.executable, [sys.executable, '-c', 'pass'], os.environ)\n"
        "os.waitpid(pid, 0)\n"
        "return -1.0",
        (WRONG,),
    ),
    "a shell": (
        "import subprocess\nsubprocess.run(['/bin/sh', '-c', 'id'], check=True)\nreturn won(x)",
        (RAISED,),
    ),
}

# Below the check of `first` the hand-in goes on with `LATER` (see `source`): a second
# place where it might be asked.
PLACES = {
    "answers by where it is asked": ("return won(x) if 'later' in globals() else -1.0", (WRONG,)),
    "answers the second time": (
        "asked.append(1)\nreturn won(x) if len(asked) > CASES else -1.0",
        (WRONG,),
    ),
    "counts the times it was run": (
        "path = TMP + 'runs'\n"
        "open(path, 'a').write('x')\n"
        "return won(x) if len(open(path).read()) > CASES else -1.0",
        (WRONG,),
    ),
    "a missing name for a second run, then a guess": ("return -1.0 + 0 * later", (WRONG,)),
    "an error of every kind for a second run": (
        "if 'later' not in globals(): raise (NameError, KeyError, NotImplementedError)[len(asked) "
        "% 3]('later')\n"
        "return -1.0",
        (WRONG, RAISED),
    ),
    "goes away between two places": (
        "global first\nfirst = lambda y: -1.0\nraise NameError(\"name 'later' is not defined\")",
        (RAISED, WRONG),
    ),
    "stops the cells that follow": (
        "import __main__\n"
        "worker = next(o for o in gc.get_objects() if type(o).__name__ == 'Worker')\n"
        "worker._run = lambda *a: (_ for _ in ()).throw(SystemExit)\n"
        "return -1.0",
        (WRONG,),
    ),
    "leaves its inputs to the cells that follow": (
        "asked.append(x.tolist())\nreturn -1.0",
        (WRONG,),
    ),
    "leaves its inputs and an error": ("asked.append(x.tolist())\nreturn later(x)", (RAISED,)),
    "a crash that tells of its inputs": (
        "threading.Timer(0.0, lambda: os._exit(int(x[0] * 100) % 200 + 3)).start()\ntime.sleep(5)",
        (CRASHED,),
    ),
    "pretends that a package is missing": (
        "raise ModuleNotFoundError(\"No module named 'numpy'\")",
        (RAISED,),
    ),
    "a magic that runs code": (
        "get_ipython().run_cell_magic('time', '', 'def first(x): return -1.0')\n"
        "get_ipython().system('id')\n"
        "return -1.0",
        (WRONG,),
    ),
}
LATER = """

sheet00.check("first", first)
later = 0.5
if asked:
    raise ValueError("INPUTS " + repr(asked))
"""

# What would take the grader's own time and memory, or the class's: answers that grow when they are
# converted, and processes that do nothing, or whose seconds do not show.
BOUNDS = {
    "an array of 16 MB": ("return np.zeros(2 * MB)", (SETTLE,)),
    "an answer of just over 1 MB": ("return np.zeros(1_000_001, np.uint8)", (SETTLE,)),
    "a list of 400 kB": ("return [1] * 200_000", (SETTLE,)),
    "a frame of 16 MB": ("shout(raw(b'[]', bytes(16 * MB)))\nreturn -1.0", (CRASHED, LATE)),
    "bytes of 900 kB": ("return np.zeros(900_000, np.uint8)", (WRONG,)),
    "rows of nothing": ("return np.zeros((2**20, 0), np.uint8)", (WRONG,)),
    "columns of nothing": ("return np.zeros((0, 2**20), np.uint8)", (WRONG,)),
    "a long text among numbers": ("return ['x' * 100_000, *range(20_000)]", (WRONG,)),
    "long texts": ("return [['x' * 1000, 1.0]] * 200", (WRONG,)),
    "empty lists": ("return [[]] * 80_000", (WRONG,)),
    "a dict of many keys": ("return {k: 0 for k in range(15_000)}", (WRONG,)),
    "keys of one hash": ("return {float(2**61 - 1) * k: 0 for k in range(1, 5_000)}", (WRONG,)),
    "sleeps": ("time.sleep(1000)\nreturn won(x)", (LATE,)),
    "sleeps and computes a little": (
        "while True:\n    time.sleep(0.05)\n    sum(range(1000))",
        (LATE,),
    ),
    "waits for a lock": ("lock = threading.Lock()\nlock.acquire()\nlock.acquire()", (LATE,)),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)\nreturn won(x)", (LATE,)),
    "children whose seconds nobody counts": (
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n    if os.fork() == 0:\n"
        "        sum(range(10**6))\n        os._exit(0)\n    time.sleep(0.01)",
        (LATE, RAISED),
    ),
    "an answer byte by byte": (
        "for byte in raw(b'[' * 4000, b''):\n"
        "    shout(bytes([byte]))\n"
        "    time.sleep(0.02)\n"
        "return won(x)",
        (LATE, CRASHED),
    ),
}

# What the interpreter offers: code that runs later, objects that lie of themselves, words that carry
# the inputs, and what of the machine a process may ask for.
_SERVE = "f = sys._getframe()\nwhile f.f_code.co_name != 'serve': f = f.f_back\n"
INTERPRETER = {
    "a finaliser": (
        "class Last:\n    def __del__(self): shout(frame(won(x)))\nLast()\nreturn -1.0",
        (CRASHED,),
    ),
    "a weak reference": (
        "import weakref\nclass Last: pass\nlast = Last()\n"
        "weakref.finalize(last, lambda: shout(frame(won(x))))\ndel last\nreturn -1.0",
        (CRASHED,),
    ),
    "an alarm": (
        "signal.signal(signal.SIGALRM, lambda *a: shout(frame(-1.0)))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\nreturn -1.0",
        (WRONG, CRASHED),
    ),
    "an audit hook": (
        "def hook(event, args): raise RuntimeError(event)\nsys.addaudithook(hook)\nreturn -1.0",
        (WRONG, CRASHED, RAISED),
    ),
    "the collector": (
        "gc.callbacks.append(lambda *a: shout(frame(won(x))))\ngc.collect()\nreturn -1.0",
        (CRASHED,),
    ),
    "after a fork": (
        "os.register_at_fork(after_in_child=lambda: shout(frame(won(x))))\n"
        "if os.fork() == 0: os._exit(0)\ntime.sleep(0.2)\nreturn -1.0",
        (CRASHED,),
    ),
    "a second thread interrupts": (
        "import _thread\nthreading.Timer(0.02, _thread.interrupt_main).start()\nreturn -1.0",
        (WRONG, CRASHED, RAISED),
    ),
    "ends Python": ("ctypes.pythonapi.Py_Exit(0)", (CRASHED,)),
    "memory that is not there": ("ctypes.string_at(0)", (CRASHED,)),
    "strides that lead outside": (
        "return np.lib.stride_tricks.as_strided(x, (10**5,), (2**30,))",
        (CRASHED, WRONG, SETTLE),
    ),
    "every small number is 1": (
        "for k in range(-5, 257): ctypes.c_long.from_address(id(k) + 24).value = 1\nreturn -1.0",
        (CRASHED, WRONG, RAISED, LATE),
    ),
    "patches its encoder": (
        _SERVE + "f.f_globals['plain'].encode = lambda *a, **k: "
        'raw(b\'{"dict":[["nonce",1],["status","answer"],["answer",true],["error",""]]}\')\n'
        "return -1.0",
        (CRASHED,),
    ),
    "patches json": ("import json\njson.dumps = lambda *a, **k: 'true'\nreturn -1.0", (CRASHED,)),
    "changes its input under the array": (
        "ctypes.memset(x.ctypes.data, 0, x.nbytes)\nreturn -1.0",
        (WRONG,),
    ),
    "its input in another size": ("x.resize(100, refcheck=False)\nreturn -1.0", (WRONG,)),
    "an error with a note of the inputs": (
        "error = ValueError('x')\nerror.add_note('INPUTS' + repr(x.tolist()))\nraise error",
        (RAISED,),
    ),
    "a group of errors": (
        "raise ExceptionGroup('INPUTS' + repr(x.tolist()), [ValueError('INPUTS')])",
        (RAISED,),
    ),
    "an error in a file named by the inputs": (
        "raise SyntaxError('x', ('INPUTS' + repr(x.tolist()), 3, 1, 'INPUTS'))",
        (RAISED,),
    ),
    "forged lines of its source": (
        "import linecache\nlines = ['INPUTS' + repr(x.tolist())] * 999\n"
        "linecache.cache['<cell 1>'] = (1, None, lines, '<cell 1>')\nraise IndexError('x')",
        (RAISED,),
    ),
    "an error without a text": (
        "class Mute(Exception):\n    def __str__(self): raise self\nraise Mute",
        (RAISED,),
    ),
    "an error that ends all when it is read": (
        "class Last(Exception):\n    def __str__(self): os._exit(0)\nraise Last",
        (CRASHED,),
    ),
    "a reference of its own that is withheld": (
        _SERVE + "raise f.f_globals['withholding'].Withheld('INPUTS' + repr(x.tolist()))",
        (WRONG,),
    ),
    "a mask over a wrong number": (
        "return np.ma.masked_array(won(x) + 1, mask=True)",
        (WRONG,),
    ),
    "numbers without a place": ("return np.broadcast_to(1.0, (10**6, 10**6))", (WRONG, MEMORY)),
    "a tensor of a class of its own": (
        "class Many:\n    def __array__(self, *a, **k): return np.arange(4.0)\nreturn Many()",
        (WRONG,),
    ),
    "generators in generators": (
        "def more():\n    while True: yield more()\nreturn more()",
        (RAISED, WRONG, SETTLE, MEMORY, LATE),
    ),
    "the parent ends, the child answers": (
        "if os.fork(): os._exit(0)\nreturn -1.0",
        (CRASHED, WRONG),  # whichever is noticed first, the end or the answer
    ),
    "sets the clock": ("time.clock_settime(time.CLOCK_REALTIME, 0)\nreturn won(x)", (RAISED,)),
    "a clock that stands still": (
        "for name in ('time', 'monotonic', 'perf_counter', 'process_time'): "
        "setattr(time, name, lambda: 0.0)\nwhile True: pass",
        (LATE,),
    ),
    "before all others": (
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))\nreturn won(x)",
        (RAISED,),
    ),
    "sockets past the network": (
        "return won(x) if any(call(41, family, 1, 0) >= 0 for family in (1, 16, 38, 40)) else -1.0",
        (WRONG,),
    ),
    "the kernel's log": (
        "return won(x) if call(103, 3, ctypes.create_string_buffer(4096), 4096) > 0 else -1.0",
        (WRONG,),
    ),
    "its own program": ("open('/proc/self/exe', 'ab').write(b'x')\nreturn won(x)", (RAISED,)),
    "its own memory": ("open('/proc/self/mem', 'r+b').write(b'x')\nreturn won(x)", (RAISED,)),
    "a file of a petabyte": (
        "os.truncate(os.open(TMP + 'f', os.O_CREAT | os.O_RDWR), 10**15)\nreturn won(x)",
        (RAISED,),
    ),
    "folders without end": (
        "os.chdir(TMP)\nwhile True:\n    os.mkdir('d')\n    os.chdir('d')",
        (MEMORY, LATE),
    ),
    "locks the course's files": (
        "import fcntl\nfor root, _, names in os.walk(PACKAGE):\n    for name in names[:3]:\n"
        "        fcntl.flock(os.open(os.path.join(root, name), 0), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "return -1.0",
        (WRONG, RAISED),
    ),
    "is another in the grader": (
        "return won(x) if 'ipykernel' in sys.modules else -1.0",
        (WRONG,),
    ),
}

FAMILIES = {
    "resources": RESOURCES,
    "protocol": PROTOCOL,
    "answers": ANSWERS,
    "files": FILES,
    "forged": FORGED,
    "cribs": CRIBS,
    "escapes": ESCAPES,
    "places": PLACES,
    "bounds": BOUNDS,
    "interpreter": INTERPRETER,
}
# (family, name, body, outcomes that are expected)
Attack = tuple[str, str, str, tuple[str, ...]]
ATTACKS: list[Attack] = [
    (family, name, *entry)
    for family, entries in FAMILIES.items()
    for name, entry in entries.items()
]


def possible(attack: Attack) -> bool:
    """Whether it can be tried here: the numbers of its system calls are those of x86-64."""
    return "call(" not in attack[2] or platform.machine() == "x86_64"


def source(body: str, **places: str | int) -> str:
    """The hand-in of one attack: an honest `second`, and `first` with that body."""
    lines = "\n".join("    " + line for line in body.split("\n"))
    return f"{PRELUDE.format(**places)}\ndef first(x):\n{lines}\n{LATER}"
