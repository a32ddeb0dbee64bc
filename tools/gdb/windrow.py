# SPDX-License-Identifier: BSD-3-Clause
"""Light threads in gdb: `source` this file, then `windrow light-threads`, or `windrow light-threads backtraces`.

Reads the records that src/tasks/light_thread.hpp describes, so that programs need no debug information."""
import struct

import gdb  # pylint: disable=import-error

RECORD = struct.Struct("=QQQQqqQ")  # name, waits_for, waits_at, context, pe, worker, next_record
WORD = struct.Struct("=Q")
# Where Boost.Context keeps them on the stack of who does not run, and how far above its stack goes on.
SAVED = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
SAVED_BYTES = 0x40


def read(address, layout):
    memory = gdb.selected_inferior().read_memory(address, layout.size)
    return layout.unpack(bytes(memory))


def text_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()


def all_records():
    try:
        head = int(gdb.parse_and_eval("(unsigned long)&windrow_light_threads"))
    except gdb.error as error:
        raise gdb.GdbError("this program has no light threads of Windrow") from error
    (at,) = read(head, WORD)
    while at != 0:
        record = read(at, RECORD)
        yield record
        at = record[-1]


def line_for(record):
    name, waits_for, waits_at, _, pe, worker, _ = record
    (text,) = read(waits_for, WORD)
    what = text_at(text).replace("{pe}", "?").replace("{object}", "?")
    who = f'light thread "{text_at(name)}"' if name else "a light thread"
    return f"PE {pe} worker {worker}: {who} waits for {what}" + (f" at {waits_at:#x}" if waits_at else "")


def backtrace_of(record):
    """As of a thread that stands there; the registers are those of the selected thread again afterwards."""
    (registers,) = read(record[3], WORD)
    select_innermost_frame()
    wanted = {name: read(registers + offset, WORD)[0] for name, offset in SAVED.items()}
    wanted["rsp"] = registers + SAVED_BYTES
    before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in wanted}
    try:
        set_registers(wanted)
        return gdb.execute("backtrace", to_string=True)
    finally:
        set_registers(before)


def set_registers(values):
    for name, value in values.items():
        # A register that has changed makes gdb look for its frames anew, and it may then select another one.
        select_innermost_frame()
        gdb.execute(f"set ${name} = {value:#x}", to_string=True)


def select_innermost_frame():
    gdb.execute("frame 0", to_string=True)


class Windrow(gdb.Command):
    """Commands for programs that use Windrow."""

    def __init__(self):
        super().__init__("windrow", gdb.COMMAND_STATUS, prefix=True)


class LightThreads(gdb.Command):
    """Lists the light threads that wait, and for what. With `backtraces`, also where (x86-64, in a live process)."""

    def __init__(self):
        super().__init__("windrow light-threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if argument not in ("", "backtraces"):
            raise gdb.GdbError("windrow light-threads: the only argument is `backtraces`")
        waiting = [record for record in all_records() if record[1] != 0]
        if not waiting:
            print("no light thread waits")
        for record in waiting:
            print(line_for(record))
            if argument:
                print(backtrace_of(record))


Windrow()
LightThreads()
