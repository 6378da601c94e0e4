"""Takes snapshots of programs that gdb stops, as perf record does, and tells how
gdb unwinds them:

	gdb -batch -x stopped.py

reads lines "FOLDER PROGRAM FUNCTION [ARGUMENT...]" from the file `stops`, and
stops each program where the function begins.  It writes to the folder registers
and stack, for a sample; recording, the lines of one for perfdata.c with that
sample; and callers, the functions that gdb finds, the outermost first, as a
folded stack: with those that were inlined in the first line, without them in
the second one.
"""
import gdb
import os
import re

ORDER = ("rax rbx rcx rdx rsi rdi rbp rsp rip eflags cs ss r8 r9 r10 r11 r12 "
         "r13 r14 r15").split()
ORDER_32 = "eax ebx ecx edx esi edi ebp esp eip eflags cs ss".split()
STACK_MOST = 60000


def is_narrow():
    return gdb.newest_frame().architecture().name() == "i386"


def register(name):
    return int(gdb.execute(f"output/x ${name}", to_string=True), 16)


def mappings(pid):
    with open(f"/proc/{pid}/maps") as lines:
        for line in lines:
            words = line.split(None, 5)
            start, end = (int(word, 16) for word in words[0].split("-"))
            name = words[5].strip() if len(words) > 5 else "//anon"
            yield start, end, int(words[2], 16), name


def write_recording(pid):
    sp = register("sp")
    with open("recording", "w") as recording:
        print("event cycles 0 0 ip,tid,time,id,period,chain,all,"
              "registers,stack 1", file=recording)
        for start, end, offset, name in mappings(pid):
            print(f"map 9 9 {start:#x} {end - start:#x} {offset:#x} {name}",
                  file=recording)
            if start <= sp < end:
                size = min(end - sp, STACK_MOST)
        print(f"sample 1 9 9 1 1 u @{register('pc'):#x} "
              f"registers{'32' if is_narrow() else ''}:registers stack:stack",
              file=recording)
    memory = gdb.selected_inferior().read_memory(sp, size)
    with open("stack", "wb") as stack:
        stack.write(memory.tobytes())
    with open("registers", "wb") as registers:
        for name in ORDER_32 if is_narrow() else ORDER:
            registers.write(register(name).to_bytes(8, "little"))
        registers.write(bytes(8 * len(ORDER) - registers.tell()))


def frames():
    """Those that are there: of tail calls gdb knows, but nothing is left."""
    frame = gdb.newest_frame()
    while frame is not None:
        if frame.type() != gdb.TAILCALL_FRAME:
            yield frame
        frame = frame.older()


def name_of(frame):
    if frame.type() == gdb.SIGTRAMP_FRAME:
        return "__restore_rt"
    return re.sub(r"[(<].*", "", frame.name() or "[unknown]")


def write_callers():
    own = [frame for frame in frames() if frame.type() != gdb.INLINE_FRAME]
    with open("callers", "w") as callers:
        for found in list(frames()), own:
            print(";".join(name_of(frame) for frame in reversed(found)),
                  file=callers)


def stop(folder, program, place, *arguments):
    gdb.execute(f"file {program}")
    gdb.execute(f"tbreak {place}")
    gdb.execute("set args " + " ".join(arguments))
    gdb.execute("run")
    os.mkdir(folder)
    os.chdir(folder)
    write_recording(gdb.selected_inferior().pid)
    write_callers()
    os.chdir("..")
    gdb.execute("kill")


for command in ("confirm off", "startup-with-shell off", "auto-load off",
                "debuginfod enabled off", "backtrace past-main on"):
    gdb.execute("set " + command)
gdb.execute("handle all nostop noprint pass")
with open("stops") as stops:
    for line in stops:
        try:
            stop(*line.split())
        except gdb.error as error:
            print(line, error)
