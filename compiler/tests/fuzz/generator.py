# SPDX-License-Identifier: BSD-3-Clause
"""Which program belongs to a seed, and files of many.

A hundred seeds are of one kind, which decides how their file is compiled.
"""
import arithmetic
from grammar.program import program
from grammar.whole import whole_program

# An arithmetic one is as large as four others. Programs of main and main++ have a main.
KINDS = ["arithmetic", "c", "c++", "c", "c", "c", "c++", "c"] + ["arithmetic", "c", "c++", "c", "main", "c", "main++", "c"]


def kind_of(seed):
    return KINDS[seed // 100 % len(KINDS)]


def features(seed):
    kind = kind_of(seed)
    return [kind] if kind == "arithmetic" else program_of(seed).features


def program_of(seed):
    kind = kind_of(seed)
    return (whole_program if is_whole(kind) else program)(seed, is_cxx(kind))


def is_cxx(kind):
    return kind.endswith("++")


def is_whole(kind):
    """Its programs initialise the library themselves."""
    return kind.startswith("main")


def table(seeds):
    entries = "".join(f"{{{seed}, VARIANT({seed})}}, " for seed in seeds)
    return f"const struct program TABLE[] = {{{entries} {{-1, 0}}}};\n"


def table_of_wholes(seeds):
    """Of those that are not main."""
    entries = "".join(f"{{{seed}, VARIANT({seed})}}, " for seed in seeds[1:])
    return f"const struct whole WHOLES[] = {{{entries} {{-1, 0}}}};\n"


def with_lines(seed, text, suffix):
    """Messages about it name the seed."""
    return f'#line 1 "seed{seed}.{suffix}"\n{text}'


def batch(seeds):
    """Files, by name: functions of these seeds, which are of one kind, with a table of them; and what they call elsewhere."""
    kind = kind_of(seeds[0])
    if kind == "arithmetic":
        texts = [with_lines(seed, arithmetic.function(seed).text, "c") for seed in seeds]
        return {"batch.c": '#include "harness.h"\n' + "\n".join(texts) + table(seeds)}
    suffix = "cpp" if is_cxx(kind) else "c"
    programs = [program_of(seed) for seed in seeds]
    programs[0].is_main = True
    head = '#include "harness.h"\n#define NAME(x) JOIN_VALUES(VARIANT_NAME, x)\n'
    begin, end = ('extern "C" {\n', "}\n") if is_cxx(kind) else ("", "")
    texts = "\n".join(with_lines(one.seed, one.text, suffix) for one in programs)
    others = "\n".join(with_lines(one.seed, text, suffix) for one in programs for text in one.other)
    entries = table_of_wholes(seeds) if is_whole(kind) else table(seeds)
    return {f"batch.{suffix}": head + texts + begin + entries + end, f"other.{suffix}": head + others}
