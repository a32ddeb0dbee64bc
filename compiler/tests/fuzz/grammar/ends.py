# SPDX-License-Identifier: BSD-3-Clause
"""Ends of the program, and ways that are never taken. What is fetched from still_long is at most 10."""
from . import fetches


def stopper(p):
    """A function that does not come back."""
    name = p.helper("stop")
    end = p.pick("abort();", "exit((int)(x & 63));", "say(x); _Exit((int)(x & 63));")
    declared = p.pick("__attribute__((noreturn)) ", "__attribute__((noreturn, noinline)) ", "__attribute__((noreturn, cold)) ", "")
    p.before.append(f"static {declared}void {name}(uint64_t x) {{ {end} }}")
    return name


def dead_end(p):
    return p.pick("__builtin_unreachable();", "abort();", "__builtin_trap();", f"{stopper(p)}({p.value(1)});")


def dead_ends_inside(p):
    """Conditions that never hold, of fetched values or not, in front of a use or behind it."""
    t = p.fresh("t")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)};"
    condition = p.random.choice([f"{t} > 10", f"{t} == 77", "n_pes < 1", f"{t} > 1000u && ({p.value(1)} & 1)"])
    check = f"if ({condition}) {dead_end(p)}" if p.chance(.8) else f"if ({condition}) {{ {p.update()} {dead_end(p)} }}"
    if p.chance(.2):
        check = f"switch ({t} / 11) {{ case 0: break; default: {dead_end(p)} }}"
    if p.chance(.2):
        check = f"__builtin_assume({t} < 11);"
    if p.chance(.2):
        return f"if (n_pes < 1) {{ {dead_end(p)} }} {fetch} {p.use(t)}"
    return f"{fetch} {p.pick(f'{check} {p.use(t)}', f'{p.use(t)} {check}', f'{check} {check}')}"


def dead_ends_around(p):
    """No way leads to the end of the function, or only one."""
    name = p.helper("e")
    quiet = p.pick("", "shmem_ctx_quiet(ctx);")
    ways = p.random.choice([
        f"if (s < 1000000u) return s; {dead_end(p)}",
        f"if (s > 1000000u) {dead_end(p)} return s * 3;",
        f"switch (s % 3) {{ case 0: return s; case 1: return s + 5; case 2: return sums[1]; }} {dead_end(p)}",
        f"switch (x & 3) {{ case 0: {p.update()} break; case 1: return s; default: return s ^ 1; }} if (n_pes > 0) return 9; {dead_end(p)}",
        "for (;;) { if (s > 1000000u) return s; s = s * 2 + 1; }",
        f"while (1) {{ s += 7; if (s % 5 == 1) return s; if (s > 1000000u) {dead_end(p)} }}"])
    fetch = "U(shmem_ctx_int64_g(ctx, &still_long[(U(i) + x) & 63], PE(x)))"
    use = p.pick("s += v;", "s ^= v; sums[i] += v;", "cells[i] += v;")
    p.before.append(f"""static {p.pick('', '__attribute__((noinline)) ')}uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{
uint64_t s = x & 7; const uint64_t v0 = x, v1 = 1, v2 = 2, v3 = 3, v4 = 4; (void)v0, (void)v1, (void)v2, (void)v3, (void)v4;
#pragma shmem defer
for (int i = 0; i < {p.digit(6)}; i++) {{ const uint64_t v = {fetch}; {use} }}
{quiet}
{ways}
}}""")
    return f"sums[{p.digit()}] += {name}(ctx, {p.value(1)});"


def an_end(p, value):
    """Ends the program in a way that shows a value."""
    code = f"(int)(({value}) & 63)"
    return p.random.choice([f"exit({code});", f"exit({code});", f"_Exit({code});", f"say({value}); exit(3);", f'printf("%d ", {code}); exit(4);',
                            f"if (({value}) & 1) abort(); exit({code});", f"if (({value}) & 1) _Exit(5); exit(6);"])


def ended(p):
    """The function ends its process, in the statement or behind it, on a condition or at last, and perhaps returns on another way."""
    name, i = p.helper("e"), p.fresh("i")
    quiet = p.pick("", "", "shmem_ctx_quiet(ctx);")
    fetch = f"const uint64_t v = U(shmem_ctx_int64_g(ctx, &still_long[(U({i}) * {p.digit()} + x) & 63], PE(x)));"
    use = p.pick("s += v;", f"sums[{i}] += v; s ^= v;", f"sums[{i}] += v; cells[v & 15]++;", f"rest[{i}] = v * 3;")
    shown = p.pick("s", "s + x", "s ^ sums[2]", "sums[1] + cells[3] + rest[2]", "x")
    loop = f"#pragma shmem defer\nfor (int {i} = 0; {i} < {p.digit(8)}; {i}++)"
    block = f"#pragma shmem defer\n{{ const int {i} = 2; {fetch} {use} }}\n{quiet}"
    work = p.pick(f"{loop} {{ {fetch} {use} }}\n{quiet}", f"{loop} {{ {fetch} {use} }}\n{quiet}", block)
    condition = p.pick(f"({shown}) & 1", f"({shown}) % 3 == 0", "x & 1")
    last = p.pick("", an_end(p, shown))
    never = [f"{work}\n{an_end(p, shown)}",
             f"for (int turn = 0;; turn++) {{\n{work}\nif (turn == {p.digit(4)}) {{ {an_end(p, shown)} }}\n}}",
             f"for (;;) {{\n{work}\nif (++x % 8 == 3) {{ {an_end(p, shown)} }}\n}}",
             f"{block} {an_end(p, shown)}",
             f"if ({condition}) {{ {an_end(p, 'x')} }}\n{work}\n{stopper(p)}({shown});"]
    perhaps = [f"{work}\nif ({condition}) {an_end(p, shown)}\n{last}",
               f"{work}\nif ({condition}) {{ {an_end(p, shown)} }}\ns = 0;\n{work}\n{last}",
               f"{loop} {{ {fetch} {use} if ({i} == {p.digit()}) {{ {an_end(p, shown)} }} }}\n{quiet} {last}",
               f"{loop} {{ {fetch} {use} if (v == {p.digit()}) {{ {an_end(p, 'v + s')} }} }}\n{quiet} {last}"]
    comes_back = p.chance(.5)
    text = p.random.choice(perhaps if comes_back else never)
    said = "" if comes_back else p.pick("", "__attribute__((noreturn)) ", "__attribute__((noreturn, cold)) ")
    p.before.append(f"static {said}void {name}(shmem_ctx_t ctx, uint64_t x) {{\nuint64_t s = 1;\n{text}\n}}")
    return f"ended({name}, ctx, {p.value(1)});"
