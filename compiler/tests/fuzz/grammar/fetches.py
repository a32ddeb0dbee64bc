# SPDX-License-Identifier: BSD-3-Clause
"""Fetches: of which types, into what, and where in an expression."""

# (routine's name, C type, array)
INTEGERS = [("long", "long", "still_long"), ("int64", "int64_t", "still_long"), ("int", "int", "still_int"),
            ("uint", "unsigned", "still_uint"), ("uint32", "uint32_t", "still_uint"), ("uchar", "unsigned char", "still_uchar"),
            ("short", "short", "still_short")]
REALS = [("float", "float", "still_float"), ("double", "double", "still_double")]
WIDTHS = {"long": 8, "int64": 8, "int": 4, "uint": 4, "uint32": 4, "uchar": 1, "short": 2, "float": 4, "double": 8}
TARGETS = ["int64_t", "uint64_t", "int", "unsigned", "short", "unsigned char", "signed char", "_Bool", "uint32_t"]


def integer(p):
    """A fetch of any integer type, as uint64_t."""
    name, _, array = p.random.choice(INTEGERS)
    routine = "atomic_fetch" if name not in ("uchar", "short") and p.chance(.3) else "g"
    return f"U(shmem_ctx_{name}_{routine}(ctx, ({type_of(name)}*)&{array}[{p.index(63)}], {p.pe()}))"


def long_one(p):
    return f"U(shmem_ctx_int64_g(ctx, &still_long[{p.index(63)}], {p.pe()}))"


def type_of(name):
    return next(kind for routine, kind, _ in INTEGERS + REALS if routine == name)


def of_types(p):
    """Any type into a variable of any other."""
    name, _, array = p.random.choice(INTEGERS + REALS)
    t, target = p.fresh("t"), p.random.choice(TARGETS)
    if p.is_cxx and target == "_Bool":
        target = "bool"
    fetch = f"shmem_ctx_{name}_g(ctx, ({type_of(name)}*)&{array}[{p.index(63)}], {p.pe()})"
    if name in ("float", "double"):
        if p.chance(.5):
            return f"const double {t} = {fetch}; " + p.use(f"whole({t})")
        fetch = f"whole({fetch})"
    return f"{p.pick('', 'const ')}{target} {t} = ({target}){fetch}; " + p.use(f"U({t})")


def gets(p):
    """Gets into variables: of the routine's type, of another, or of a part of one."""
    return " ".join("{ " + p.pick(get_of_its_type, get_into_wider, get_into_other_class, get_into_part)(p) + " }" for _ in range(2))


def get(p, routine, target):
    name, kind, array = routine
    return f"shmem_ctx_{name}_get(ctx, ({kind}*)&{target}, ({kind}*)&{array}[{p.index(63)}], 1, {p.pe()});"


def get_of_its_type(p):
    routine, t = p.random.choice(INTEGERS + REALS), p.fresh("t")
    return f"{routine[1]} {t}; {get(p, routine, t)} " + p.use(f"whole({t})" if routine in REALS else f"U({t})")


def get_into_wider(p):
    routine, t = p.random.choice([one for one in INTEGERS if WIDTHS[one[0]] < 8]), p.fresh("t")
    wide = p.random.choice(["uint32_t", "uint64_t", "int64_t"] if WIDTHS[routine[0]] < 4 else ["uint64_t", "int64_t"])
    return f"{wide} {t} = ({wide}){p.digit()}; {get(p, routine, t)} " + p.use(f"U({t})")


def get_into_other_class(p):
    """The bits of an integer into a floating-point variable, whose address is taken elsewhere or not."""
    routine, t = p.random.choice([one for one in INTEGERS if WIDTHS[one[0]] >= 4]), p.fresh("t")
    kind = "double" if WIDTHS[routine[0]] == 8 else "float"
    taken = f"{kind}* const p{t} = &{t}; *p{t} += 0; " if p.chance(.3) else ""
    return f"{kind} {t} = 0; {get(p, routine, t)} {taken}" + p.use(f"bits_of((double){t})")


def get_into_part(p):
    routine, t = p.random.choice(INTEGERS + REALS), p.fresh("t")
    return (f"struct {{ {routine[1]} a, b; }} {t} = {{1, 2}}; {get(p, routine, t + '.b')} "
            + p.use(f"(bits_of((double){t}.a) + bits_of((double){t}.b))"))


def in_expressions(p):
    """In any place of an expression; only one call of it has effects."""
    fetch = integer if p.chance(.4) else long_one
    t, x = p.fresh("t"), p.fresh("x")
    kept = f"sums[{p.index(63)}]"
    statements = [
        lambda: f"{p.assigned()} = {p.condition()} ? (int)({fetch(p)} & 255) : {p.digit()};",
        lambda: f"{kept} += {p.condition()} ? {fetch(p)} : {p.value(1)};",
        lambda: f"uint64_t {t} = 1; {kept} += {p.condition()} ? ({t} = {fetch(p)}) : 5u; {kept} ^= {t};",
        lambda: f"static uint64_t last; last = 1; {kept} += {p.condition()} ? (last = {fetch(p)}) : 5u; {kept} ^= last;",
        lambda: f"uint64_t {t}; {kept} += {p.condition()} ? ({t} = {fetch(p)}) : {p.digit()}u;",
        lambda: f"{kept} += ({p.condition()} && ({fetch(p)} & 1)) ? {p.value(1)} : 1u;",
        lambda: f"if ({p.condition()} || ({fetch(p)} & 3)) {{ {p.update()} }}",
        lambda: f"if (({fetch(p)} & 7) > 2 && ({fetch(p)} & 1)) {{ {p.update()} }} else {{ {p.update()} }}",
        lambda: f"{kept} ^= ({p.value(1)}, {fetch(p)});",
        lambda: f"uint64_t {t}; {kept} += ({t} = {fetch(p)}, {t} * 3);",
        lambda: f"{kept} += blend({fetch(p)}, {p.value(1)}) + blend({p.value(1)}, {fetch(p)});",
        lambda: f"{kept} += U(!{fetch(p)}) + U(-{fetch(p)}) + U((signed char){fetch(p)});",
        lambda: f"{kept} += __extension__({{ uint64_t {x} = {fetch(p)}; {x} > 3 ? {x} : 3u; }});",
        lambda: f"sums[{fetch(p)} & 63] += {p.value()};",
        lambda: f"uint64_t {t}[3] = {{{fetch(p)}, {p.value(1)}, {fetch(p)}}}; {kept} += {t}[{p.index(1)}] + {t}[2];",
        lambda: f"struct triple {t} = {{(int64_t){fetch(p)}, 1, {{2, (int64_t){fetch(p)}}}}}; {kept} += U({t}.a) * 3 + U({t}.c[1]);",
        lambda: f"switch ({fetch(p)} & 3) {{ case 0: {p.update()} break; case 1: {p.update()} default: {p.update()} }}",
        lambda: f"{kept} += {fetch(p)} * {fetch(p)} + {fetch(p)};",
        lambda: f"for (uint64_t {x} = {fetch(p)} & 3; {x} > 0; {x}--) {{ {p.update()} }}",
        lambda: f"{kept} += {p.condition()} ? {fetch(p)} : {p.condition()} ? {fetch(p)} : {p.value(1)};",
    ]
    return p.random.choice(statements)()


def with_effects(p):
    """Fetches that change what they fetch. One PE does so, and one place keeps the order of the program."""
    t, place = p.fresh("t"), p.ticket(p.index(7))
    call = p.random.choice([f"atomic_fetch_inc(ctx, {place}, ", f"atomic_fetch_add(ctx, {place}, {p.digit()}, ",
                            f"atomic_swap(ctx, {place}, (int64_t)({p.value(1)} & 63), ", f"atomic_fetch_xor(ctx, {place}, {p.digit()}, ",
                            f"atomic_compare_swap(ctx, {place}, {p.digit()}, {p.digit()}, "])
    text = f"const int64_t {t} = shmem_ctx_int64_{call}{p.pick('1 % n_pes', '0', p.pe())}); "
    return text + p.use(f"U({t})")


def in_reals(p):
    """Sums whose result depends on the order of the additions."""
    name, _, array = p.random.choice(REALS)
    fetch = f"shmem_ctx_{name}_g(ctx, &{array}[{p.index(63)}], {p.pe()})"
    cell = f"reals[{p.index(15)}]"
    return p.random.choice([f"{cell} = {cell} * .5 + {fetch};" if p.chance(.2) else f"reals[1] = reals[1] * .75 + {fetch};",
                            f"reals[2] += {fetch}; reals[2] *= .875;", f"const float f = (float){fetch}; reals[3] = reals[3] / 3 + f;",
                            f"reals[4] -= ({fetch}) * (double)({p.value(1)} & 7); reals[4] *= .5;"])


def chain(p):
    """A fetch that depends on another."""
    t, u = p.fresh("t"), p.fresh("t")
    first = f"const uint64_t {t} = {long_one(p)};"
    second = f"const int64_t {u} = shmem_ctx_int64_g(ctx, &still_long[{t} * {p.digit()} & 63], PE({t}));"
    inner = f"{second} {p.use(f'U({u})')}"
    if p.chance(.4):
        inner = f"if ({t} & 1) {{ {inner} }}"
    elif p.chance(.3):
        counter = p.fresh("i")
        inner = f"for (uint64_t {counter} = 0; {counter} < ({t} & 3); {counter}++) {{ {inner} }}"
    return f"{first} {p.use(t) if p.chance(.4) else ''} {inner}"


def at_owner(p):
    """What computes with the fetched value and updates objects on the PE that is fetched from; and nearly that."""
    t, pe = p.fresh("t"), p.fresh("pe")
    to = pe if p.chance(.85) else p.pe()
    add = f"shmem_ctx_int64_atomic_add(ctx, &posted[({t} + {p.digit()}) & 63], {p.pick(t, f'{t} & 7', '3', f'(int64_t)({p.value(1)} & 31)')}, {to});"
    fetch = p.random.choice([f"g(ctx, &still_long[{p.index(63)}], {pe})", f"atomic_fetch_inc(ctx, {p.ticket(p.index(7))}, {pe})",
                             f"atomic_fetch_add(ctx, {p.ticket(p.digit(7))}, {p.pick(p.digit(), '(int64_t)(' + p.value(1) + ' & 7)')}, {pe})"])
    extra = p.random.choice(["", "", f"if ({t} & 1) {{ {add} }}", f"sums[{p.index(63)}] ^= 1;", f"{p.assigned()} ^= 1;",
                             f"tickets[{p.digit(7)}] += 2;", f"shmem_ctx_int64_atomic_inc(ctx, &posted[{p.digit()}], {to});"])
    return f"const int {pe} = {p.pe()}; const int64_t {t} = shmem_ctx_int64_{fetch}; {extra} {add if p.chance(.8) else p.use(f'U({t})')}"


def consecutive(p):
    """Elements one behind the other, of one PE: what is vectorised; and nearly that."""
    i, pe, t = p.fresh("i"), p.fresh("pe"), p.fresh("t")
    array = p.pick("still_long", "still_long", "moved")
    there = "0" if array == "moved" else p.pe()
    extra = p.random.choice(["", "", f"moved[{i}] = -1;", f"moved[{i} + 1] ^= 4;", f"sums[{p.digit()}]++;", f"cells[{i} & 15] = U({i});",
                             f"{p.assigned()} += 1;", f"if ({i} & 1) cells[1] += U({i});"])
    fetch = f"const int64_t {t} = shmem_ctx_int64_g(ctx, &{array}[{i} + {p.digit()}], {pe});"
    use = p.random.choice([f"sums[{i}] += U({t});", p.use(f"U({t})"), f"reals[5] = reals[5] * .5 + (double){t};"])
    kind = p.pick("int", "int64_t", "unsigned", "size_t")
    body = f"{extra} {fetch} {use}" if p.chance(.3) else f"{fetch} {extra} {use}" if p.chance(.5) else f"{fetch} {use} {extra}"
    if p.chance(.15):
        return (f"const int {pe} = {there}; for (const int64_t* {i} = {array}; {i} < {array} + {p.digit()}; {i}++) "
                f"{{ const int64_t {t} = shmem_ctx_int64_g(ctx, {i}, {pe}); {p.use(f'U({t})')} }}")
    return (f"const int {pe} = {there}; const {kind} e{i} = ({kind})({p.value(1)} & 31); "
            f"for ({kind} {i} = {p.pick('0', '0', '1')}; {i} < e{i}; {i}++) {{ {body} }}")


def turns(p):
    """Two operations of one routine take turns at one place, with operands that change; each is dependent code's own, or runs at the owner."""
    i, k, rounds = p.fresh("i"), p.random.randint(0, 7), p.digit()
    operand = p.pick(f"{i} % 3", f"{i} & 1 ? 5 : 9", f"{i} * 3 & 7", p.digit())
    routine, value = p.pick(("fetch_inc", ""), ("fetch_add", f"({operand}), "), ("fetch_xor", f"({operand}), "), ("fetch_or", f"({operand}), "),
                            ("fetch_and", f"~(int64_t)({operand}), "), ("swap", f"({operand}), "), ("compare_swap", f"{i} & 3, ({operand}), "))
    pe = p.fresh("pe")

    def site(array):
        t = p.fresh("t")
        fetch = f"const int64_t {t} = shmem_ctx_int64_atomic_{routine}(ctx, &tickets[{k}], {value}{pe});"
        use = p.pick(f"{array}[{i}] = U({t});", f"shmem_ctx_int64_atomic_add(ctx, &posted[(uint64_t){t} & 63], {i} + {p.digit()}, {pe});")
        text = f"{fetch} {use}"
        return f"if ({p.pick(f'{i} & 1', f'{i} % 3', f'{i} > 2')}) {{ {text} }}" if p.chance(.6) else f"{{ {text} }}"

    loop = f"for (int64_t {i} = 0; {i} < {rounds}; {i}++) {{ {site('sums')} {site('totals')} {site('scores') if p.chance(.3) else ''} }}"
    return f"const int {pe} = {p.pick('1 % n_pes', '0', p.pe())};\n{p.region(loop)}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}"


def beside(p):
    """One or two on a condition beside one that is made in any case; all values are used behind. Where the condition does not hold there is
    no such place."""
    t = p.fresh("t")
    return f"const uint64_t {t} = {long_one(p)}; " + on_conditions(p, [t], p.pick(1, 1, 2))


def alone(p):
    """The same without one that is made in any case, at some PE, in front of them."""
    text = on_conditions(p, [], p.pick(1, 1, 2, 3))
    return text + (f" {p.use(long_one(p))}" if p.chance(.1) else "")


def on_conditions(p, values, number):
    text = ""
    for _ in range(number):
        w, c, k = p.fresh("w"), p.fresh("c"), p.fresh("k")
        condition = f"({values[0]} & 1)" if values and p.chance(.1) else p.condition()
        fetch = f"U(shmem_ctx_int64_g(ctx, &still_long[{k}], {c} ? {p.pe()} : -1))" if p.chance(.6) else integer(p)
        before = values[-1] if values else p.value(1)
        arm = p.pick(f"{w} = {fetch};", f"{w} += {fetch} * {p.digit()}u;", f"{w} = {before} ^ {fetch}; {p.update()}",
                     f"{p.update()} {w} = {fetch} + {fetch};", f"{w} = {w} * 3 + {fetch};")
        other = f" else {{ {p.pick(f'{w} = {p.value(1)};', p.update())} }}" if p.chance(.3) else ""
        text += (f"const int {c} = {condition}; const uint64_t {k} = {c} ? {p.index(63)} : ~0ull; (void){k}; "
                 f"uint64_t {w} = {p.value(1)}; if ({c}{f' && {p.condition()}' if p.chance(.2) else ''}) {{ {arm} }}{other} ")
        values.append(w)
    return text + p.use(f"({' + '.join(values)})") + (f" {p.use(values[-1])}" if p.chance(.3) else "")
