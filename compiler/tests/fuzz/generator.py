# SPDX-License-Identifier: BSD-3-Clause
"""Which program belongs to a seed, and files of many.

A hundred seeds are of one kind, which decides how their file is compiled.
"""
import arithmetic
from grammar.program import program

KINDS = ["arithmetic", "c", "c++", "c", "c", "c", "c++", "c"]  # an arithmetic one is as large as four others


def kind_of(seed):
    return KINDS[seed // 100 % len(KINDS)]


def features(seed):
    kind = kind_of(seed)
    return [kind] if kind == "arithmetic" else program(seed, kind == "c++").features


def table(seeds):
    entries = "".join(f"{{{seed}, VARIANT({seed})}}, " for seed in seeds)
    return f"const struct program TABLE[] = {{{entries} {{-1, 0}}}};\n"


def with_lines(seed, text, suffix):
    """Messages about it name the seed."""
    return f'#line 1 "seed{seed}.{suffix}"\n{text}'


def batch(seeds):
    """Files, by name: functions of these seeds, which are of one kind, with a table of them; and what they call elsewhere."""
    kind = kind_of(seeds[0])
    if kind == "arithmetic":
        texts = [with_lines(seed, arithmetic.function(seed).text, "c") for seed in seeds]
        return {"batch.c": '#include "harness.h"\n' + "\n".join(texts) + table(seeds)}
    suffix = "cpp" if kind == "c++" else "c"
    programs = [program(seed, kind == "c++") for seed in seeds]
    head = '#include "harness.h"\n#define NAME(x) JOIN_VALUES(VARIANT_NAME, x)\n'
    begin, end = ('extern "C" {\n', "}\n") if kind == "c++" else ("", "")
    texts = "\n".join(with_lines(one.seed, one.text, suffix) for one in programs)
    others = "\n".join(with_lines(one.seed, text, suffix) for one in programs for text in one.other)
    return {f"batch.{suffix}": head + texts + begin + table(seeds) + end, f"other.{suffix}": head + others}
