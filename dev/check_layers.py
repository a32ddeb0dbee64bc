#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that includes and declarations point one way: each room of src/ knows itself and the rooms below it, and so do
the public headers that are its face. What a room defines is in its namespace. In compiler/ a pass knows what passes share, and no other pass.

  dev/check_layers.py [ROOT]   prints each wrong include or declaration as FILE:LINE: why, and fails if there is one
"""
import pathlib
import re
import sys

# From the bottom to the top. Rooms of one row do not know each other.
ROWS = [["base"], ["os", "balance"], ["trace"], ["transport"], ["pgas"], ["aggregation"], ["job"], ["deferral"], ["tasks"],
        ["actor", "shmem"], ["mobile", "overlap"], ["rooms"]]
HEIGHT = {room: height for height, row in enumerate(ROWS) for room in row}

# The room that each public header is the face of: rooms below must not include it.
PUBLIC = {
    "windrow/balance.hpp": "balance", "windrow/types.hpp": "base", "windrow/detail/members.hpp": "base",
    "windrow/error.hpp": "base", "windrow/stats.hpp": "base",
    "windrow/detail/round_up.hpp": "base", "windrow/detail/thread_sanitizer.hpp": "base",
    "windrow/version.hpp": "base", "windrow/detail/inline.hpp": "base",
    "windrow/detail/verbs.hpp": "base", "windrow/detail/atomic_access.hpp": "base",
    "windrow/detail/atomic_change.hpp": "base", "windrow/detail/copy.hpp": "base",
    "windrow/detail/direct_operation.hpp": "base", "windrow/detail/direct.hpp": "pgas",
    "windrow/global_ptr.hpp": "pgas", "windrow/array.hpp": "pgas", "windrow/distribution.hpp": "pgas", "windrow/forall.hpp": "pgas",
    "windrow/detail/divider.hpp": "base", "windrow/detail/owned_indices.hpp": "pgas", "windrow/team.hpp": "pgas", "windrow/ragged_array.hpp": "pgas",
    "windrow/detail/memory_map.hpp": "pgas", "windrow/one_sided.hpp": "pgas",
    "windrow/detail/operations.hpp": "aggregation", "windrow/detail/plain_access.hpp": "aggregation",
    "windrow/detail/lanes.hpp": "aggregation", "windrow/detail/writer.hpp": "aggregation",
    "windrow/detail/store_item.hpp": "aggregation", "windrow/detail/stretch.hpp": "aggregation",
    "windrow/detail/load_window.hpp": "aggregation", "windrow/detail/apply.hpp": "aggregation",
    "windrow/detail/value_loads.hpp": "aggregation",
    "windrow/detail/run.hpp": "aggregation", "windrow/detail/message_kind.hpp": "aggregation",
    "windrow/detail/notes.hpp": "aggregation", "windrow/detail/code_address.hpp": "aggregation",
    "windrow/detail/owner_call.hpp": "aggregation", "windrow/detail/range_fetch.hpp": "aggregation",
    "windrow/detail/range_handle.hpp": "deferral",
    "windrow/detail/continuations.hpp": "deferral", "windrow/detail/rest_of_coroutine.hpp": "deferral",
    "windrow/detail/fetch_handle.hpp": "deferral", "windrow/deferred.hpp": "deferral",
    "windrow/context.hpp": "deferral", "windrow/stream.hpp": "aggregation",
    "windrow/selector.hpp": "actor", "windrow/mailbox.hpp": "actor",
    "windrow/detail/mailbox_state.hpp": "actor", "windrow/detail/variable_items.hpp": "actor",
    "windrow/detail/handlers.hpp": "actor", "windrow/detail/senders.hpp": "actor",
    "windrow/mobile.hpp": "mobile", "windrow/multicast.hpp": "mobile", "windrow/object_event.hpp": "mobile",
    "windrow/detail/object_core.hpp": "mobile",
    "windrow/detail/object_bytes.hpp": "mobile", "windrow/detail/message_arguments.hpp": "mobile",
    "windrow/detail/cereal_archives.hpp": "mobile",
    "windrow/detail/mobile_protocol.hpp": "mobile", "windrow/detail/object_indices.hpp": "mobile",
    "windrow/detail/id_map.hpp": "mobile",
    "windrow/detail/ticks.hpp": "base", "windrow/detail/job_use.hpp": "base",
    "windrow/call.hpp": "tasks", "windrow/array_operations.hpp": "deferral",
    "windrow/task.hpp": "tasks", "windrow/detail/task.hpp": "tasks", "windrow/fork_join.hpp": "tasks",
    "windrow/detail/fork.hpp": "tasks", "windrow/detail/fold.hpp": "tasks",
    "windrow/synchronization.hpp": "tasks", "windrow/detail/wait_queue.hpp": "tasks",
    "windrow/detail/awaited_fetch.hpp": "tasks", "windrow/detail/one_way_call.hpp": "tasks", "windrow/task_group.hpp": "tasks",
    "windrow/waiting_handler.hpp": "tasks", "windrow/when_all.hpp": "tasks", "windrow/promise.hpp": "tasks", "windrow/portable_tasks.hpp": "tasks",
    "windrow/busy_time.hpp": "tasks", "windrow/detail/wait_limit.hpp": "tasks",
}
PUBLIC_DEFAULT = "job"
# What users hand to everything: public headers of every room may include it.
HANDLE = "windrow/job.hpp"
# The public headers that users include for all of them.
EVERYTHING = "windrow/windrow.hpp"

# A room's namespace is windrow::ROOM; what users see is in windrow, and parts of it in windrow::detail.

# What is built on the public headers alone, as a user's program is.
OUTSIDE = ["apps", "examples"]

# In compiler/, beside the passes: what they share, what knows them all, and the code that they put into programs, of which they
# know only what both sides agree on.
SHARED, REGISTRY, INLINED = "common", "plugin", "inlined"
CONTRACT = "compiler/inlined/contract.hpp"

# Libraries that only one place knows.
CONFINED = {"hwloc.h": ("tools/",), "boost/context/detail/fcontext.hpp": ("src/os/",),
            "mpi.h": ("src/transport/mpi/", "bench/hosts/", "bench/openshmem/")}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
NAMESPACE = re.compile(r"\s*(?:inline )?namespace ([\w:]+) \{")
DECLARATION = re.compile(r"\s*(?:class|struct) (\w+);")
NO_DEFINITION = re.compile(r"\s*(?:(?:template <[^;]*> )?(?:class|struct|enum class) [\w: ]+;|#.*|template <[^;]*>|\}?;?)\s*$")
NO_CODE = re.compile(r'//.*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
SOURCES = {".hpp", ".cpp", ".h", ".c"}


def is_test(path):
    return path.stem.endswith("_test")


def room_of(include):
    """The room that an included file belongs to, or None if it is none of ours."""
    top = include.split("/")[0]
    if top == "windrow":
        return PUBLIC.get(include, PUBLIC_DEFAULT)
    return top if "/" in include and top in HEIGHT else None


def complaint(path, include):
    """Why `path` (relative to the root) must not include `include`, or None if it may."""
    top = path.parts[0]
    public = include.startswith("windrow/")
    for library, places in CONFINED.items():
        if include.startswith(library) and not path.as_posix().startswith(places):
            return f"{library} is known to {' and '.join(places)} only"
    if top == "include":
        if include.startswith("fmt/") or (room_of(include) is not None and not public):
            return "a public header includes public and standard headers only"
        return face_complaint(path, include) if public else None
    if top in OUTSIDE:
        if room_of(include) is not None and not public:
            return f"{top}/ is built on the public headers alone"
    elif top == "src":
        return room_complaint(path, include, public)
    elif top == "compiler" and path.parts[1] != "tests":
        return compiler_complaint(path, include)
    return None


def compiler_complaint(path, include):
    own, of_library = path.parts[1], room_of(include) is not None
    target = include.split("/")[1] if include.startswith("compiler/") else None
    if path.as_posix() == CONTRACT:
        return "what both sides agree on includes standard headers only" if "/" in include else None
    if own == INLINED:
        foreign = include.startswith(("llvm/", "clang/")) or target not in (None, INLINED)
        return "code that is put into programs knows no pass and no LLVM" if foreign else None
    if of_library:
        return "the compiler knows the library by its interface for compiled code alone"
    if target in (None, own, SHARED) or include == CONTRACT or (own == REGISTRY and target != INLINED):
        return None
    return f"compiler/{own} knows compiler/{SHARED} and {CONTRACT}, not compiler/{target}"


def face_complaint(path, include):
    own, target = own_room(path), room_of(include)
    if own is None or include == HANDLE or HEIGHT[target] <= HEIGHT[own]:
        return None
    return f"{target} is above {own}"


def own_room(path):
    """The room that a file belongs to, or None where it may name anything."""
    if path.parts[0] == "src":
        return path.parts[1] if path.parts[1] in HEIGHT else None
    name = path.relative_to("include").as_posix() if path.parts[0] == "include" else ""
    return room_of(name) if name.startswith("windrow/") and name != EVERYTHING else None


def declared(lines):
    """What a header declares and does not define, with the namespaces around it: (line number, name, namespaces)."""
    depth, around = 0, []
    for number, line in enumerate(lines, 1):
        code = NO_CODE.sub("", line)
        if match := NAMESPACE.match(code):
            around.append((depth, match[1].split("::")))
        elif match := DECLARATION.match(code):
            yield number, match[1], [name for _, names in around for name in names]
        depth += code.count("{") - code.count("}")
        while around and around[-1][0] >= depth:
            around.pop()


def defined(lines):
    """The namespaces in which something is defined, and not only declared: (line number, names from the outermost on)."""
    depth, around = 0, []
    for number, line in enumerate(lines, 1):
        code = NO_CODE.sub("", line)
        if match := NAMESPACE.match(code):
            around.append([depth, match[1].split("::"), number, False])
        elif around and not NO_DEFINITION.match(code):
            around[-1][3] = True
        depth += code.count("{") - code.count("}")
        while around and around[-1][0] >= depth:
            _, _, begin, defines = closed = around.pop()
            if defines:
                yield begin, [name for _, names, *_ in [*around, closed] for name in names]


def namespace_complaint(path, names):
    own = own_room(path)
    if own is None or names[0] != "windrow" or len(names) == 1 or names[1] == "detail":
        return None
    if names[1] == own:
        return None
    return f"defines names in windrow::{names[1]}; its room has windrow::{own}, users' names windrow and windrow::detail"


def declaration_complaint(path, name, namespaces):
    own = own_room(path)
    for room in namespaces:
        if own is not None and room in HEIGHT and HEIGHT[room] > HEIGHT[own]:
            return f"names {name} of {room}, which is above {own}"
    return None


def room_complaint(path, include, public):
    room, target = path.parts[1], room_of(include)
    if room not in HEIGHT:
        return f"src/{room} has no place in the order of rooms (ROWS in dev/check_layers.py)"
    if target is None or target == room or HEIGHT[target] < HEIGHT[room]:
        return None
    if public and is_test(path):
        return None  # a test may use the whole library as its user does
    way = "beside" if HEIGHT[target] == HEIGHT[room] else "above"
    return f"{target} is {way} {room}"


def check(root):
    """All complaints about the sources under `root`, as lines."""
    found = []
    for top in ["include", "src", "tools", *OUTSIDE, "bench", "compiler"]:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            relative = path.relative_to(root)
            lines = path.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                why = complaint(relative, match[2]) if match else None
                if why:
                    found.append(f"{relative}:{number}: {match[2]}: {why}")
            for number, name, namespaces in declared(lines):
                if why := declaration_complaint(relative, name, namespaces):
                    found.append(f"{relative}:{number}: {why}")
            for number, names in defined(lines):
                if why := namespace_complaint(relative, names):
                    found.append(f"{relative}:{number}: {why}")
    return found


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    found = check(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
