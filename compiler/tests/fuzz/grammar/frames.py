# SPDX-License-Identifier: BSD-3-Clause
"""What functions with a directive get and give back, and what is in their frames."""
from . import fetches

# Of which several are combined where inlining, or its absence, decides what stands in one function.
MANNERS = ["static", "static", "static inline", "static inline __attribute__((always_inline))", "static __attribute__((noinline))",
           "static __attribute__((cold))", "static __attribute__((hot))", "static __attribute__((flatten))",
           "static __attribute__((noinline, optnone))", "static __attribute__((minsize))", "__attribute__((weak))",
           "static __attribute__((ms_abi))"]


def manner(p):
    return p.random.choice(MANNERS)


def quiet(p):
    return p.pick("", "", "shmem_ctx_quiet(ctx);")


def element(p, index):
    return f"U(shmem_ctx_int64_g(ctx, &still_long[({index}) & 63], PE({index})))"


def into(p, value):
    """Something that the program shows at its end."""
    return f"sums[{p.digit()}] = sums[{p.digit()}] * 3 + {value};"


def large_arrays(p):
    """Local arrays of a tenth of a megabyte and more: versions of a function, and functions that it takes in, have their own."""
    name = p.helper("b")
    size = p.random.choice([12000] * 5 + [30000] * 4 + [120000])
    step = p.random.choice([1, 61, 997])
    fill = p.pick("memset(local, 0, sizeof local);", f"for (int i = 0; i < {size}; i++) local[i] = U(i);")
    work = p.pick("local[at] += v;", f"local[at] = v * {p.digit()};", "local[at] ^= v; sums[i] += local[at];", "q[at] += v;")
    p.before.append(f"""{manner(p)} uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{
uint64_t local[{size}], s = 0; uint64_t* const q = local;
(void)q;
{fill}
#pragma shmem defer
for (int i = 0; i < {p.pick('8', '40', '60')}; i++) {{ const uint64_t at = (U(i) * {step} + (x & 7)) % {size}, v = {element(p, 'U(i) + x')}; {work} }}
{quiet(p)}
for (int i = 0; i < 60; i++) s = s * 3 + local[(U(i) * {step} + (x & 7)) % {size}];
return s;
}}""")
    return into(p, f"{name}(ctx, {p.value(1)})")


def deep_recursion(p):
    """Each level has an array, which dependent code writes, in front of the next level or behind it."""
    name, size = p.helper("d"), p.pick("16", "500", "2000")
    given = p.pick("above", "above", "local")  # what may be kept elsewhere is not deferred
    again = f"if (depth > 0) s += {name}(ctx, x + {p.digit()}, depth - 1, {given});"
    before, behind = p.pick((again, ""), ("", again), (again, again.replace("depth > 0", "depth == 3")))
    text = f"""static uint64_t {name}(shmem_ctx_t ctx, uint64_t x, int depth, uint64_t* above) {{
uint64_t local[{size}] = {{0}}, s = x;
{before}
#pragma shmem defer
for (int i = 0; i < 5; i++) {{ const uint64_t v = {element(p, 'U(i) + x')}; local[i] += v; {p.pick('', 'above[i] ^= v;')} }}
{quiet(p)}
{behind}
for (int i = 0; i < 5; i++) s = s * 5 + local[i] + above[i];
return s;
}}"""
    p.before.append(text)
    a = p.fresh("a")
    return f"uint64_t {a}[5] = {{1}}; " + into(p, f"{name}(ctx, {p.value(1)}, {p.pick('3', '20', '60')}, {a})")


# Fields by which a structure travels in registers, of both kinds, or in memory.
FIELDS = [["uint64_t"], ["uint64_t", "uint64_t"], ["double", "int"], ["float", "float", "float"], ["unsigned char"] * 3, ["int64_t"] * 3,
          ["double"] * 4, ["int", "uint64_t", "short", "double", "uint64_t"], ["uint64_t"] * 9]


def structure(p):
    """(its type's name, fields as (name, type))"""
    name = f"fields{p.fresh('')}_{p.seed}"
    fields = [(f"f{number}", kind) for number, kind in enumerate(p.random.choice(FIELDS))]
    p.before.append(f"struct {name} {{ {' '.join(f'{kind} {field};' for field, kind in fields)} }};")
    return f"struct {name}", fields


def sum_of(variable, fields):
    return " + ".join(f"{'whole' if kind in ('float', 'double') else 'U'}({variable}.{field}) * {number + 1}"
                      for number, (field, kind) in enumerate(fields))


def structures(p):
    """Structures by value: given, and given back."""
    kind, fields = structure(p)
    name, t = p.helper("s"), p.fresh("t")
    changed = " ".join(f"to.{field} = ({type_})(({'v' if p.chance(.6) else p.pick('v + U(i)', 'U(to.f0) ^ v')}) & 127);" for field, type_ in fields
                       if p.chance(.7) or field == "f0")
    body = f"for (int i = 0; i < n; i++) {{ const uint64_t v = {element(p, 'U(i) + ' + p.digit())}; {changed} }}"
    given = p.pick(("to", ""), ("from", f"{kind} to = from;"))
    p.before.append(f"""{manner(p)} {kind} {name}(shmem_ctx_t ctx, {kind} {given[0]}, int n) {{
{given[1]}
#pragma shmem defer
{body}
{quiet(p)}
return to;
}}""")
    again = p.pick("", f"{t} = {name}(ctx, {name}(ctx, {t}, 2), 1);")
    return f"{kind} {t} = {{{p.digit()}}}; {t} = {name}(ctx, {t}, {p.digit(7)}); {again} " + into(p, sum_of(t, fields))


def variadic(p):
    """Arguments without a name, read in front of the statement, in it, or by a function that gets the list."""
    name, reader, n = p.helper("v"), p.helper("v"), p.random.randint(1, 9)
    arguments = ", ".join(f"{p.value(1)}" for _ in range(n))
    way = p.random.randrange(4)
    use = p.pick("s = s * 3 + v;", "sums[i] += v; s ^= v;", "cells[at & 15] += v;")
    fetch = f"const uint64_t v = {element(p, 'at')}; {use}"
    before, at = "", "const uint64_t at = va_arg(more, uint64_t);"
    if way == 1:
        before, at = f"uint64_t all[{n}]; for (int i = 0; i < n; i++) all[i] = va_arg(more, uint64_t);", "const uint64_t at = all[i];"
    if way == 2:
        before, at = "va_list again; va_copy(again, more);", "const uint64_t at = va_arg(again, uint64_t) + va_arg(more, uint64_t);"
    loop = f"#pragma shmem defer\nfor (int i = 0; i < n; i++) {{ {at} {fetch} }}\n{quiet(p)}"
    if way == 3:
        p.before.append(f"static uint64_t {reader}(shmem_ctx_t ctx, int n, va_list more) {{\nuint64_t s = 1;\n{loop}\nreturn s;\n}}")
        loop = f"s += {reader}(ctx, n, more);"
    kind, result, shown = "uint64_t", "s", "{}"
    if p.chance(.2):
        kind, fields = structure(p)
        result, shown = "made", "U({}.f0)"
        loop += f" {kind} made; memset(&made, 0, sizeof made); made.f0 = ({fields[0][1]})(s & 63);"
    p.before.append(f"""{p.pick('static', 'static __attribute__((noinline))')} {kind} {name}(shmem_ctx_t ctx, int n, ...) {{
va_list more; uint64_t s = 0;
va_start(more, n);
{before}
{loop}
{'va_end(again);' if way == 2 else ''} va_end(more);
return {result};
}}""")
    return into(p, shown.format(f"{name}(ctx, {n}, {arguments})"))


# Types, and an argument made of a value: more than registers hold, of all classes.
ARGUMENTS = [("uint64_t", "{}"), ("int", "(int)({} & 255)"), ("double", "(double)({} & 63)"), ("float", "(float)({} & 15)"),
             ("unsigned char", "(unsigned char){}"), ("short", "(short)({} & 99)"), ("uint64_t*", "&sums[{} & 63]"),
             ("long double", "(long double)({} & 7)"), ("_Complex double", "(double)({} & 7)"), ("const char*", '&"abcdefgh"[{} & 7]')]


def many_arguments(p):
    name = p.helper("m")
    kinds = [p.random.choice(ARGUMENTS[:8] if p.is_cxx else ARGUMENTS) for _ in range(p.random.randint(7, 20))]
    parameters = ", ".join(f"{kind} a{number}" for number, (kind, _) in enumerate(kinds))
    given = ", ".join(form.format(p.value(1)) for _, form in kinds)
    terms = []
    for number, (kind, _) in enumerate(kinds):
        value = {"uint64_t*": f"*a{number}", "const char*": f"*a{number}", "_Complex double": f"(double)a{number}"}.get(kind, f"a{number}")
        terms.append(f"{'whole((double)' if kind in ('double', 'float', 'long double', '_Complex double') else 'U('}{value})")
    first, rest = terms[0], " + ".join(terms[1:])
    work = p.pick(f"s = s * 3 + v + ({rest});", f"if (v & 1) s ^= {rest}; a0 += 1;" if kinds[0][0] == "uint64_t" else f"s += v * ({rest});",
                  f"s += v; rest[i] = {rest};")
    p.before.append(f"""{manner(p)} uint64_t {name}(shmem_ctx_t ctx, {parameters}) {{
uint64_t s = {first};
#pragma shmem defer
for (int i = 0; i < {p.digit(6)}; i++) {{ const uint64_t v = {element(p, f'U(i) + {p.digit()}')}; {work} }}
{quiet(p)}
return s + {rest};
}}""")
    return into(p, f"{name}(ctx, {given})")


def nested_calls(p):
    """Each of several functions has a statement, and calls the next in it, in front of it or behind it."""
    below, depth = "", p.random.randint(2, 4)
    for level in range(depth):
        name, again = p.helper("l"), f"s += {below}(ctx, s + {p.digit()});" if level else ""
        where = p.random.randrange(3)
        parts = [again if where == number else "" for number in range(3)]
        static = p.pick("", "", "static uint64_t calls; calls = x; calls++;")
        fetch = element(p, f"U(i) * {p.digit()} + x")
        use = p.pick("s = s * 3 + v;", f"sums[i] += v * {p.digit()};", "cells[i] ^= v;")
        p.before.append(f"""{manner(p)} uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{
uint64_t s = 1;
{static}
{parts[0]}
#pragma shmem defer
for (int i = 0; i < {p.digit(4)}; i++) {{ const uint64_t v = {fetch}; {use} {parts[1]} }}
{quiet(p)}
{parts[2]}
return s{' + calls' if static else ''};
}}""")
        below = name
    return into(p, f"{below}(ctx, {p.value(1)})")


def tail_calls(p):
    """Two functions call each other last, perhaps by a jump for certain."""
    one, other = p.helper("o"), p.helper("e")
    must = p.pick("", "", "__attribute__((musttail)) ")
    head = "uint64_t {}(shmem_ctx_t ctx, uint64_t x, int n)"
    p.before.append("static " + head.format(other) + ";")
    for name, next_ in ((one, other), (other, one)):
        p.before.append(f"""{p.pick('static', 'static __attribute__((noinline))')} {head.format(name)} {{
uint64_t s = x;
#pragma shmem defer
for (int i = 0; i < {p.digit(4)}; i++) {{ const uint64_t v = {element(p, 'U(i) + x')}; {p.pick('s = s * 3 + v;', 'sums[i] += v;')} }}
{quiet(p)}
if (n == 0) return s;
{must}return {next_}(ctx, s + 1, n - 1);
}}""")
    return into(p, f"{one}(ctx, {fetches.long_one(p)}, {p.digit(5)})")
