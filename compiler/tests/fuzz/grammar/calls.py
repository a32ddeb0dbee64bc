# SPDX-License-Identifier: BSD-3-Clause
"""Functions that fetch: wrappers, helpers with a directive of their own, in this file and in others, before and behind."""
from . import fetches


def add_function(p, text):
    """Gives the function a place: in front of its user, behind it, or in another file."""
    where = p.random.random()
    if where < .45:
        p.before.append(text)
    elif where < .7:
        p.after.append(text)
    else:
        p.other.append(text.removeprefix("static ").removeprefix("inline "))


def wrapper(p):
    """Passes its arguments on to the routine, and does something else too."""
    name, count = p.helper("w"), f"n{p.number}_{p.seed}"
    effect = p.random.choice([f"{count}++;", f"sums[{p.digit()}] += {p.digit()};", f"{count} ^= U(ctx == second) + 3;", "", "", "", "say(7);"])
    kind = p.random.random()
    if kind < .6:
        call = "return shmem_ctx_int64_g(ctx, place, pe);"
        text = f"static int64_t {name}(shmem_ctx_t ctx, const int64_t* place, int pe) {{ {effect} {call} }}"
        t = p.fresh("t")
        use = f"const int64_t {t} = {name}(ctx, &still_long[{p.index(63)}], {p.pe()}); {p.use(f'U({t})')}"
    elif kind < .8:
        text = (f"static void {name}(shmem_ctx_t ctx, int64_t* place, int64_t value, int pe) {{ "
                f"{effect} shmem_ctx_int64_atomic_add(ctx, place, value, pe); }}")
        t = p.fresh("t")
        use = f"const uint64_t {t} = {fetches.long_one(p)}; {name}(ctx, &posted[{t} & 63], (int64_t)({t} & 15), {p.pe()});"
    else:
        text = f"static void {name}(shmem_ctx_t ctx) {{ {effect} shmem_ctx_quiet(ctx); }}"
        t = p.fresh("t")
        use = f"const uint64_t {t} = {fetches.long_one(p)}; {p.use(t)} if (sums[1] == 12345u) {name}(ctx);"
        if p.chance(.6):
            use = f"{p.plain_fetch()} {name}(ctx);"
    p.before.append(f"static uint64_t {count};")
    p.before.append(text)
    p.entry.append(f"{count} = 0;")
    p.last.append(count)
    return use


def body_with_region(p):
    """Of a function with the parameters ctx, x."""
    i = p.fresh("i")
    fetch = f"U(shmem_ctx_int64_g(ctx, &still_long[({i} * {p.digit()} + (int)(x & 15)) & 63], PE(x)))"
    quiet = p.pick("", "", "shmem_ctx_quiet(ctx);")
    return p.random.choice([
        f"uint64_t s = x & 3;\n#pragma shmem defer\nfor (int {i} = 0; {i} < {p.digit(5)}; {i}++) s += {fetch};\n{quiet} return s;",
        f"uint64_t s = 0;\n#pragma shmem defer\n{{ const int {i} = 2; s = 2 * {fetch}; }}\n{quiet} return s;",
        f"#pragma shmem defer\nfor (int {i} = 0; {i} < {p.digit(5)}; {i}++) sums[{i} + 32] += {fetch};\n{quiet} return x ^ sums[33];",
        f"#pragma shmem defer\nfor (int {i} = 0; {i} < {p.digit(5)}; {i}++) cells[{i}] ^= {fetch};\n{quiet} return x;"])


def helper(p):
    name = p.helper("h")
    add_function(p, f"static uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{\n{body_with_region(p)}\n}}")
    return name


def helper_inside(p):
    """Called inside a region: between a fetch and its use, or in dependent code, where it runs blockingly."""
    name, t = helper(p), p.fresh("t")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)};"
    cell = f"sums[{p.index(63)}]"
    return p.random.choice([f"{fetch} {cell} += {name}(ctx, {t});",
                            f"{fetch} const uint64_t b{t} = {name}(ctx, {p.value(1)}); {cell} += {t} * 3 + b{t};",
                            f"{cell} ^= {name}(ctx, {p.value(1)}); {fetch} {p.use(t)}",
                            f"{fetch} if ({t} & 1) {cell} += {name}(ctx, {t}); {p.use(t)}"])


def helper_around(p):
    """Called outside: it has completed its work when it returns. Its results come by value, in memory, or through a pointer."""
    if p.chance(.4):
        return f"{p.assigned()} ^= (int)({helper(p)}(ctx, {p.value(1)}) & 1023); sums[{p.digit()}] += cells[{p.digit(4)}] + sums[33];"
    name, a, i = p.helper("h"), p.fresh("a"), p.fresh("i")
    kind = p.pick("uint64_t", "int", "double")
    quiet = p.pick("", "", "shmem_ctx_quiet(ctx);")
    add_function(p, f"""static void {name}(shmem_ctx_t ctx, {kind}* to, uint64_t x) {{
#pragma shmem defer
for (int i = 0; i < {p.digit(8)}; i++)
  to[{p.pick('i', 'i', '0', '7 - i')}] {p.pick('', '+')}= ({kind})(shmem_ctx_int64_g(ctx, &still_long[(i + (int)(x & 7)) & 63], PE(x)) & 1023);
{quiet}
}}""")
    calls = f"{name}(ctx, {a}, {p.value(1)});"
    use = f"for (int {i} = 0; {i} < 8; {i}++) sums[{i}] = sums[{i}] * 3 + U({a}[{i}]);"
    rounds = p.fresh("r")
    return f"for (int {rounds} = 0; {rounds} < 2; {rounds}++) {{ {kind} {a}[8] = {{1, 2, 3}}; {calls} {use} }}"


def recursion(p):
    """A function with a directive that calls itself, inside of the region or behind it."""
    name = p.helper("r")
    again = f"{name}(ctx, 2 * at + {p.digit(2)}, sum);"
    inner = p.chance(.4)
    text = f"""static void {name}(shmem_ctx_t ctx, uint64_t at, uint64_t* sum) {{
if (at > {p.random.randint(10, 40)}) return;
#pragma shmem defer
for (int k = 0; k < 2; k++) {{
const uint64_t v = U(shmem_ctx_int64_g(ctx, &still_long[(at + U(k)) & 63], PE(at)));
{p.pick('*sum = *sum * 3 + v;', '*sum ^= v + U(k);', 'sums[at & 63] += v; *sum += 1;')}
{again if inner else ''}
}}
{again if not inner else p.pick('', '*sum += at;')}
}}"""
    add_function(p, text)
    s = p.fresh("s")
    return f"uint64_t {s} = 1; {name}(ctx, {p.digit(4)}, &{s}); {p.assigned()} ^= (int)({s} & 1023);"


def attributes(p):
    """Functions that promise what they keep."""
    name = p.helper("a")
    promise, body = p.random.choice([("pure", "return x + cells[x & 3];"), ("pure", "return x ^ sums[x & 63];"),
                                     ("const", "return x * 7 + 1;"), ("nothrow", "cells[x & 3]++; return x;"), ("nothrow", "say(x); return x + 1;")])
    p.before.append(f"static uint64_t __attribute__(({promise}, noinline)) {name}(uint64_t x) {{ {body} }}")
    t = p.fresh("t")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)};"
    change = p.pick(f"cells[{p.digit(3)}] = {p.value(1)};", p.update(), "")
    cell = f"sums[{p.index(63)}]"
    return p.pick(f"{fetch} {change} {cell} += {name}({t}); {change}", f"{change} {fetch} {cell} += {name}({t}) + {name}({p.value(1)}); {change}",
                  f"const uint64_t b{t} = {name}({p.value(1)}); {fetch} {change} {cell} ^= b{t} * {t};")


def function_pointer(p):
    name, other = p.helper("f"), p.helper("f")
    count = f"c{p.number}_{p.seed}"
    p.before.append(f"static uint64_t {count}; static void {name}(uint64_t x) {{ {count} += x; }} "
                    f"static void {other}(uint64_t x) {{ {count} = {count} * 3 + x; }}")
    p.entry.append(f"{count} = 0;")
    p.last.append(count)
    f = p.fresh("f")
    return (f"void (*const {f}[2])(uint64_t) = {{{name}, {other}}}; "
            f"{f}[{p.index(1)}]({fetches.long_one(p)}); {p.pick('', f'sums[{p.digit()}] += {count};')}")


def not_completed(p):
    """A function whose caller completes what it deferred."""
    name, a = p.helper("n"), p.fresh("a")
    add_function(p, f"""static void {name}(shmem_ctx_t ctx, uint64_t* to, uint64_t x) {{
#pragma shmem defer nowait
for (int i = 0; i < {p.digit(8)}; i++)
  to[{p.pick('i', '0')}] {p.pick('', '+')}= U(shmem_ctx_int64_g(ctx, &still_long[(i + (int)(x & 7)) & 63], PE(x)));
}}""")
    between = p.pick("", f"{name}(ctx, {a} + 8, 5);", f"{p.assigned()} ^= 3;")
    return f"uint64_t {a}[16] = {{1, 2}}; {name}(ctx, {a}, {p.value(1)}); {between} shmem_ctx_quiet(ctx); sums[1] += {a}[0] + {a}[3] + {a}[9];"
