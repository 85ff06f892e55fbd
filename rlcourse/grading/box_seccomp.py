"""The system calls that the box refuses, as a seccomp program: `program("x86_64") -> bytes`
for bubblewrap's --seccomp.

Classic BPF over `struct seccomp_data` (Linux, seccomp(2), linux/filter.h): load a word, compare,
return a verdict. What is not refused is allowed: namespaces, resource limits and read-only mounts
do the rest. Refused is what escapes those (memory that no limit counts, new namespaces, mounts),
what reaches into other processes, and wide parts of the kernel that no hand-in needs.
"""

import struct

# ld [k]; jump if A == k; jump if A & k; return k
_LOAD, _EQUAL, _SET, _RETURN = 0x20, 0x15, 0x45, 0x06
# Offsets in seccomp_data, little-endian machines.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS = 1, 38
# CLONE_NEW{TIME,NS,CGROUP,UTS,IPC,USER,PID,NET}, in clone's first argument.
_NEW_NAMESPACES = 0x7E020080
_X32 = 0x40000000  # system calls of the x32 kind: other numbers for the same calls

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*

# name -> numbers on x86-64 and on AArch64; None: there is no such call.
REFUSED = {
    # memory that no limit counts, and messages in the kernel's memory
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "msgget": (68, 186), "msgsnd": (69, 189), "semget": (64, 190), "mq_open": (240, 180), "socket": (41, 198),
    "socketpair": (53, 199), "mlock": (149, 228), "mlock2": (325, 284), "mlockall": (151, 230), "vmsplice": (278, 75),
    # namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "open_tree": (428, 428), "move_mount": (429, 429), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    # files by handle, and watching whole file systems
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    # parts of the kernel with a history
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "personality": (135, 92), "modify_ldt": (154, None), "uselib": (134, None),
    "move_pages": (279, 239), "migrate_pages": (256, 238), "mbind": (237, 235), "set_mempolicy": (238, 237),
    # the machine itself
    "acct": (163, 89), "syslog": (103, 116), "quotactl": (179, 60), "quotactl_fd": (443, 443), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "iopl": (172, None),
    "ioperm": (173, None), "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), (435, 435)


def program(machine: str) -> bytes:
    """The filter for a machine as `platform.machine()` names it.

    Raises KeyError for one of another kind.
    """
    architecture, column = ARCHITECTURES[machine], list(ARCHITECTURES).index(machine)
    refuse, absent = _ERRNO | EPERM, _ERRNO | ENOSYS
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, architecture, yes=1),
        # A 32-bit program on a 64-bit system has other numbers for everything.
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        lines += [_line(_SET, _X32, no=1), _line(_RETURN, absent)]
    # clone3 takes its flags in memory, where no filter sees them; with ENOSYS the C
    # library falls back to clone.
    lines += [_line(_EQUAL, _CLONE3[column], no=1), _line(_RETURN, absent)]
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            lines += [_line(_EQUAL, number, no=1), _line(_RETURN, refuse)]
    lines += [
        _line(_EQUAL, _CLONE[column], no=3),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_SET, _NEW_NAMESPACES, no=1),
        _line(_RETURN, refuse),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """One instruction, struct sock_filter; yes, no: how many lines a jump passes over."""
    return struct.pack("<HBBI", code, yes, no, value)
