# SPDX-License-Identifier: BSD-3-Clause
"""Pointers to variables of the function, and to parts of them, made in front of the code that uses them."""

# A variable with four values, a pointer into it, and an element by that pointer and by the variable's name.
FORMS = [
    ("uint64_t {a}[4] = {{{x}, {y}, 3, 4}};", "uint64_t* {q} = {a};", "{q}[{k} & 3]", "{a}[{k} & 3]"),
    ("uint64_t {a}[4] = {{{x}, {y}, 3, 4}};", "uint64_t* {q} = &{a}[1];", "{q}[{k} & 1]", "{a}[({k} & 1) + 1]"),
    ("uint64_t {a}[2][4] = {{{{{x}}}, {{{y}, 2}}}};", "uint64_t* {q} = {a}[1];", "{q}[{k} & 3]", "{a}[1][{k} & 3]"),
    ("struct {{ uint64_t a, b[3]; }} {a} = {{{x}, {{{y}, 2, 3}}}};", "uint64_t* {q} = {a}.b;", "{q}[{k} % 3]", "{a}.b[{k} % 3]"),
    ("struct {{ uint64_t a, b; }} {a} = {{{x}, {y}}};", "uint64_t* {q} = &{a}.b;", "*{q}", "{a}.b"),
    ("struct {{ uint64_t a, b; }} {a} = {{{x}, {y}}};", "uint64_t* {q} = &{a}.a;", "*{q}", "{a}.a"),
    ("uint64_t {a} = {x} + {y};", "uint64_t* {q} = &{a};", "*{q}", "{a}"),
]


def depends(p, element, t, i):
    """What depends on a fetch and uses the element."""
    return p.random.choice([f"sums[{i} & 63] += {t} * {element};", f"{element} += {t}; totals[{i} & 63] ^= {element};",
                            f"if ({t} & 1) scores[{i} & 63] += {element};",
                            f"sums[{i} & 63] += {element} + U(shmem_ctx_int64_g(ctx, &still_long[({t} + {i}) & 63], PE({t})));"])


def fetch_of(t, i, k, pe):
    return f"const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[(U({i}) * 4 + U({k})) & 63], {pe}));"


def parts_of_variables(p):
    names = {letter: p.fresh(letter) for letter in "aqktu"}
    i, k, t, u = p.fresh("i"), names["k"], names["t"], names["u"]
    where = p.pick("outside", "round", "round", "dependent", "dependent")
    values = {"x": p.digit() if where == "outside" else f"U({i})", "y": f"U({u})" if where == "dependent" else p.digit()}
    variable, pointer, by_pointer, by_name = (text.format(**names, **values) for text in p.random.choice(FORMS))
    by_pointer, by_name = by_pointer.replace(k, f"U({k})"), by_name.replace(k, f"U({k})")
    inner = f"{fetch_of(t, i, k, p.pe())} {depends(p, by_pointer, t, f'(U({i}) + U({k}))')}"
    change = p.pick("", f"{by_name} += {p.digit()};", f"{by_pointer} ^= U({k});", f"rest[U({k}) & 63] += {by_name};")
    if p.chance(.3):
        helper = p.helper("pt")
        p.before.append(f"static {p.pick('', 'inline ')}void {helper}(shmem_ctx_t ctx, uint64_t* {names['q']}, int64_t {i}, int {k}) {{\n"
                        f"{fetch_of(t, i, k, f'PE({i})')} {depends(p, by_pointer, t, f'(U({i}) + U({k}))')} }}")
        inner = f"{helper}(ctx, {names['q']}, {i}, {k});"
    rounds = f"for (int {k} = 0; {k} < {p.pick('1', '3', '4')}; {k}++) {{ {p.pick(f'{inner} {change}', f'{change} {inner}')} }}"
    first = f"const uint64_t {u} = U(shmem_ctx_int64_g(ctx, &still_long[U({i}) & 63], 0));" if where == "dependent" else ""
    made = f"{variable} {pointer}"
    loop = f"for (int64_t {i} = 0; {i} < {p.digit()}; {i}++) {{ {first} {'' if where == 'outside' else made} {rounds} }}"
    behind = f"totals[7] += {by_name.replace(k, '1')};" if where == "outside" else ""
    return f"{made if where == 'outside' else ''}\n{p.region(loop)}\nshmem_ctx_quiet(ctx); {behind}"

