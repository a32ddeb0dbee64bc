#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the conformance tests, the documentation of OpenSHMEM, and what the compiler knows of it, from routines.toml.

  generate.py cases PROGRAM    a C file: one function for each routine, type and form of the program
  generate.py overloads        a C++ file: the same for all routines that have overloads
  generate.py profiling        a C file: every routine beside its pshmem_ name
  generate.py document         docs/openshmem.md
  generate.py roles            C++ tables: what each routine does, for compiler/common/api/routines.cpp

To try the tests on another implementation: with --upto VERSION only the routines that this version of the standard
has, with --header FILE only those that this header mentions.
"""

import argparse
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "dev"))
import prose  # noqa: E402 (as all documents are wrapped)

FORMS = {"plain": "", "context": "ctx_"}


def load(upto):
    table = tomllib.loads((HERE / "routines.toml").read_text())
    for section in table["section"]:
        section["routine"] = [r for r in section["routine"] if float(r["since"]) <= upto]
    return table


def type_names(table, routine):
    return table["lists"][routine["types"]]


def routine_names(table, routine):
    """All names of functions that a line of the table stands for."""
    contexts = FORMS.values() if "{ctx}" in routine["name"] else [""]
    types = type_names(table, routine) if "types" in routine else [""]
    return [routine["name"].format(ctx=context, type=t) for t in types for context in contexts]


class Case:
    """One test function: a routine for one type in one form."""

    def __init__(self, table, routine, type_name, form, generic):
        self.routine, self.type_name, self.uses_context = routine, type_name, form == "context"
        self.is_generic = generic
        self.type = table["types"][type_name]
        self.function = routine["generic"] if generic else routine["name"].format(ctx=FORMS[form], type=type_name)
        self.label = self.function
        if generic:
            self.label += f"({'ctx, ' if self.uses_context else ''}{self.type['c']})"

    def macros(self):
        base = self.routine["name"]
        first = "ctx, " if self.uses_context else ""
        fetches = "CALL(out, __VA_ARGS__)" if base.endswith("_nbi") else "(void)(*(out) = CALL(__VA_ARGS__))"
        yield "T", self.type["c"]
        yield "MAKE", f"MAKE_{self.type['make']}"
        yield "SMALL", f"SMALL_{self.type['make']}"
        yield "MAKE_FACTOR", f"FACTOR_{self.type['make']}"
        yield "CALL(...)", f"{self.function}({first}__VA_ARGS__)"
        yield "QUIET()", "shmem_ctx_quiet(ctx)" if self.uses_context else "shmem_quiet()"
        yield "BLOCKING", "0" if base.endswith("_nbi") else "!ctx_is_deferred" if self.uses_context else "1"
        yield "FETCH(out, ...)", fetches
        yield "TESTING", str(int("_test" in base))
        yield "VECTOR", str(int(base.endswith("_vector")))
        if not self.type_name.isdigit() and self.type_name != "mem" and not self.type_name.startswith("complex"):
            yield "STORE(at, value, pe)", f"shmem_{self.type_name}_p(at, value, pe)"
        yield from self.members()
        yield from self.routine.get("defines", {}).items()

    def members(self):
        """How a collective routine is told who takes part: by a team, or by an active set with a pSync of each turn."""
        by_team = not self.routine["types"].startswith(("active_set", "to_all"))
        work = ", (T*)set_work(set, turn)" if self.routine["types"].startswith("to_all") else ""
        active_set = f"set_start(set), set_log_stride(set), set_size(set){work}, set_sync(set, turn)"
        yield "CALL_ON(set, turn, ...)", (
            "CALL(set_team(set), __VA_ARGS__)" if by_team else f"CALL(__VA_ARGS__, {active_set})")
        yield "SETS_READY()", "(void)set_team(0)" if by_team else "(void)set_sync(0, 0)"
        yield "TURNS_OVER()", "(void)0" if by_team else "shmem_barrier_all()"
        yield "ROOT_RECEIVES", str(int(by_team))

    def text(self, function_name):
        macros = list(self.macros())
        lines = [f"#define {name} {value}" for name, value in macros]
        lines += [f"static void {function_name}(void) {{", f'#include "tests/shmem/bodies/{self.routine["test"]}.h"', "}"]
        lines += [f"#undef {name.split('(')[0]}" for name, _ in macros]
        return "\n".join(lines)


def cases_of(table, routine):
    forms = FORMS if "{ctx}" in routine["name"] else ["plain"]
    for type_name in type_names(table, routine):
        for form in forms:
            yield Case(table, routine, type_name, form, generic=False)
            if "generic" in routine and type_name in table["lists"]["distinct"]:
                yield Case(table, routine, type_name, form, generic=True)


def all_cases(table):
    for section in table["section"]:
        for routine in section["routine"]:
            if "types" in routine:
                yield from ((section["program"], case) for case in cases_of(table, routine))


def is_overload(case):
    # C++ has complex numbers of its own, and the deprecated names only as the standard had them: without overloads.
    return case.is_generic and not case.type_name.startswith("complex") and "deprecated" not in case.routine


def write_cases(cases):
    print('// Made by tests/shmem/generate.py from routines.toml.\n#include "tests/shmem/sets.h"\n')
    for number, case in enumerate(cases):
        print(case.text(f"case_{number}"), end="\n\n")
    print("static const test_case cases[] = {")
    for number, case in enumerate(cases):
        print(f'  {{"{case.label}", case_{number}, {int(case.uses_context)}}},')
    print("};\n\nint main(int argc, char** argv) {")
    print("  return run_cases(cases, sizeof(cases) / sizeof(cases[0]), argc, argv);\n}")


def write_profiling(table):
    names = sorted({name for section in table["section"] for routine in section["routine"]
                    for name in routine_names(table, routine) if name.startswith("shmem_")})
    print('// Made by tests/shmem/generate.py from routines.toml.\n#include "tests/shmem/profiling.h"\n')
    # Generic macros of the same name take arguments, so that the bare name is still the function.
    print("const profiled_routine profiled_routines[] = {")
    for name in names:
        print(f'  {{"{name}", (void (*)(void)){name}, (void (*)(void))p{name}}},')
    print("};\nconst int profiled_routine_count = sizeof(profiled_routines) / sizeof(profiled_routines[0]);")


def operation_of(name):
    """The name without the library, the context and the type."""
    return name.replace("{ctx}", "").replace("{type}_", "").replace("{type}", "").removeprefix("shmem_")


def bytes_of(table, type_name):
    """Of an element, as an expression of C++."""
    c_type = table["types"][type_name]["c"] if type_name else ""
    if not c_type or "_Complex" in c_type:
        return "0"
    return "16" if c_type == "wide" else f"sizeof({c_type})"


def form_text(section, routine, context):
    does, *roles = routine.get("does", "none").split()
    orders = routine.get("orders", section.get("orders", "none" if "does" in routine else "unknown"))
    flags = (context, routine["name"].endswith("_nbi"), section["program"] == "amo")
    taken = ", ".join(f"role::{role}" for role in (["context"] if context else []) + roles)
    return (f'{{"{operation_of(routine["name"])}", verb::{does}, order::{orders}, {", ".join(str(flag).lower() for flag in flags)}, '
            f"taking({taken})}}")


def write_roles(table):
    forms, names = [], {}
    for section in table["section"]:
        for routine in section["routine"]:
            for context in [True, False] if "{ctx}" in routine["name"] else [False]:
                forms.append(form_text(section, routine, context))
                for type_name in type_names(table, routine) if "types" in routine else [""]:
                    name = routine["name"].format(ctx="ctx_" if context else "", type=type_name)
                    names[name] = f'{{"{name}", &forms[{len(forms) - 1}], {bytes_of(table, type_name or routine.get("of"))}}}'
    print("// Made by tests/shmem/generate.py from routines.toml.\nconstexpr routine forms[] = {")
    print(",\n".join(forms) + "};\nconstexpr named_routine names[] = {")
    print(",\n".join(names[name] for name in sorted(names)) + "};")


def shown(name):
    return name.replace("{type}", "TYPE" if "_{type}" in name else "SIZE").replace("{ctx}", "[ctx_]")


def document_row(table, routine):
    name = f"`{shown(routine['name'])}`"
    if "generic" in routine:
        name += f", `{routine['generic']}`"
    types = ", ".join(type_names(table, routine)) if "types" in routine else ""
    test = f"bodies/{routine['test']}.h" if "types" in routine else routine["test"]
    deprecated = f", deprecated {routine['deprecated']}" if "deprecated" in routine else ""
    return (f"| {name} | {types} | {routine['since']}{deprecated} | {routine.get('status', 'complete')} "
            f"| [{test}](../tests/shmem/{test}) |")


def document(table):
    text = (HERE / "openshmem.md.in").read_text()
    sections = []
    for section in table["section"]:
        rows = [document_row(table, routine) for routine in section["routine"]]
        sections.append(f"### {section['title']}\n\n| routine | types | since | status | test |\n|---|---|---|---|---|\n"
                        + "\n".join(rows))
    count = len({n for s in table["section"] for r in s["routine"] for n in routine_names(table, r)})
    known = tomllib.loads((HERE / "known_failures.toml").read_text())["failure"]
    failures = "\n".join(f"* `{entry['test']}`: {entry['because']}." for entry in known)
    return prose.wrapped(text.replace("@COUNT@", str(count)).replace("@TABLE@", "\n\n".join(sections))
                         .replace("@KNOWN_FAILURES@", failures))


def unmentioned(table):
    """Routines that claim to be tested by a file in which they do not occur."""
    for section in table["section"]:
        for routine in section["routine"]:
            if "types" not in routine:
                source = (HERE / routine["test"]).read_text()
                for name in routine_names(table, routine):
                    if not re.search(rf"\b{re.escape(name)}\b", source):
                        yield name, routine["test"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cases", "overloads", "profiling", "document", "roles"])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--upto", type=float, default=1.6)
    parser.add_argument("--header")
    parser.add_argument("--check", type=pathlib.Path, help="compare with this document instead of printing it")
    arguments = parser.parse_args()
    table = load(arguments.upto)
    if arguments.what == "cases":
        known = set(re.findall(r"\w+", pathlib.Path(arguments.header).read_text())) if arguments.header else None
        write_cases([case for program, case in all_cases(table)
                     if program == arguments.program and (known is None or case.function in known)])
    elif arguments.what == "overloads":
        write_cases([case for _, case in all_cases(table) if is_overload(case)])
    elif arguments.what == "profiling":
        write_profiling(table)
    elif arguments.what == "roles":
        write_roles(table)
    else:
        for name, test in unmentioned(table):
            sys.exit(f"routines.toml says that {test} tests {name}, which does not occur there")
        text = document(table)
        if not arguments.check:
            print(text, end="")
        elif arguments.check.read_text() != text:
            sys.exit(f"{arguments.check} is not what routines.toml says: generate.py document > {arguments.check}")


main()
