# SPDX-License-Identifier: BSD-3-Clause
"""Variables of every storage duration, parts of variables, and memory that ends."""
from . import fetches


def a_fetch(p):
    return fetches.long_one(p)


def loop_of(p, statement):
    i = p.fresh("i")
    return f"for (int {i} = 0; {i} < {p.digit()}; {i}++) {{ {statement(i)} }}"


def inside(p):
    """Static and thread-local variables, which dependent code or code that stays changes."""
    s = p.fresh("s")
    storage = p.pick("static", "static", "static THREAD_LOCAL")
    if p.chance(.5):
        p.before.append(f"{storage} uint64_t {s}_{p.seed};")
        name, declared = f"{s}_{p.seed}", ""
        p.entry.append(f"{name} = {p.digit()};")
    else:
        name, declared = s, f"{storage} uint64_t {s}; {s} = {p.digit()};"
    p.number += 1
    return declared + " " + p.random.choice([
        f"{name} += {a_fetch(p)}; sums[{p.index(63)}] += {name};",
        f"if ({p.condition()}) {name} = {a_fetch(p)}; sums[{p.index(63)}] ^= {name};",
        f"{name}++; sums[{p.index(63)}] += {a_fetch(p)} + {name};",
        f"{name} ^= {a_fetch(p)}; {name}++; {p.assigned()} += (int)({name} & 15);"])


def static_result(p):
    """A function's static variable is used behind the region."""
    name = p.helper("st")
    storage = p.pick("static", "static", "static THREAD_LOCAL")
    loop = loop_of(p, lambda i: f"total {p.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[({i} * {p.digit()} + (int)(x & 7)) & 63], 1 % n_pes));")
    p.before.append(f"""static uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{
{storage} uint64_t total; total = x;
#pragma shmem defer
{loop}
{p.pick('', 'shmem_ctx_quiet(ctx);', '')}
return total;
}}""")
    return f"{p.assigned()} += (int)({name}(ctx, {p.value(1)}) & 1023);"


def fields(p):
    """Bit-fields, unions and nested structures, of this function and of all."""
    s, f = p.fresh("s"), p.fresh("f")
    kind = p.random.random()
    if kind < .4:
        target = p.pick("own", s)
        declared = f"struct own {s}; memset(&{s}, 0, sizeof {s});" if target == s else ""
        changes = [f"{target}.low += (unsigned)({a_fetch(p)} & 31);", f"{target}.middle ^= (unsigned)({a_fetch(p)} & 4095);",
                   f"{target}.high = (int)({a_fetch(p)} & 8191) - 4096;", f"{target}.low ^= {p.digit()};", f"{target}.high = -{target}.high;"]
        return declared + " ".join(p.random.sample(changes, 3)) + f" sums[{p.index(63)}] += {target}.low + U({target}.high) * 3 + {target}.middle;"
    if kind < .7:
        target = "own.both" if p.chance(.5) else s
        declared = f"union {{ double real; uint64_t bits; uint32_t half[2]; }} {s}; {s}.bits = 0;" if target == s else ""
        return (f"{declared} {target}.real = (double)({a_fetch(p)} & 1023) + .5; sums[{p.index(63)}] += {target}.bits; "
                f"{target}.half[{p.pick('0', '1')}] ^= {p.digit()}u; sums[{p.index(63)}] ^= {target}.half[1];")
    return (f"struct triple {s} = own.nested[{p.pick('0', '1')}], {f}; {s}.b += (int64_t){a_fetch(p)}; "
            f"{s}.c[{p.index(1)}] = (int64_t)({p.value(1)} & 255); "
            f"{f} = {s}; own.nested[{p.pick('0', '1')}] = {f}; sums[{p.index(63)}] += U({f}.b) + U({s}.c[1]);")


def block_objects(p):
    """Objects of a block inside the region, behind pointers; the next round has others at the same place."""
    a, q, i = p.fresh("a"), p.fresh("p"), p.fresh("i")
    size = p.pick("4", "8")
    kind = p.random.random()
    object_, end = f"uint64_t {a}[{size}]; uint64_t* {q} = {a};", ""
    if kind < .25:
        object_, end = f"uint64_t* {q} = (uint64_t*)malloc({size} * sizeof *{q});", f"free({q});"
    fill = f"for (int {i} = 0; {i} < {size}; {i}++) {q}[{i}] = {p.value(1)} + U({i});"
    work = f"for (int {i} = 0; {i} < {size}; {i}++) {q}[{i}] {p.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[{i}], {p.pe()}));"
    use = f"for (int {i} = 0; {i} < {size}; {i}++) sums[{i}] += {q}[{i}] * {p.digit()}u;"
    return f"{object_} {fill} {work} {use} {end}"


def ending_block(p):
    """A block around the region ends, and its object with it, and the next round's is at the same place."""
    m, a, q, i, r = p.fresh("m"), p.fresh("a"), p.fresh("p"), p.fresh("i"), p.fresh("r")
    size = p.pick("8", f"{m}")
    kind = p.random.random()
    object_ = f"uint64_t {a}[{size}]; uint64_t* {q} = {a};"
    if kind < .2:
        object_ = f"uint64_t* {q} = (uint64_t*)__builtin_alloca((size_t)8 * sizeof *{q});"
    loop = (f"for (int {i} = 0; {i} < {m}; {i}++) {{ const uint64_t v = U(shmem_ctx_int64_g(ctx, &still_long[({i} + {r}) & 63], 1 % n_pes)); "
            f"{q}[{i}] += v; sums[{r}] += {q}[{i}]; }}")
    return f"""const int {m} = {p.random.randint(3, 8)};
for (int {r} = 0; {r} < {p.digit(6)}; {r}++) {{
{object_}
for (int {i} = 0; {i} < {m}; {i}++) {q}[{i}] = 1000u * U({r});
{p.region(loop)}
}}
{p.pick('', 'shmem_ctx_quiet(ctx);')}"""


def freed(p):
    """Memory that is freed, or moved, behind the region."""
    q, i, r = p.fresh("p"), p.fresh("i"), p.fresh("r")
    fetch = f"U(shmem_ctx_int64_g(ctx, &still_long[({i} * 3 + {r}) & 63], 1 % n_pes))"
    work = p.pick(f"{q}[{i}] = {fetch};", f"sums[{i}] += {fetch} * {q}[{i}];", f"{q}[{i}] ^= {fetch}; sums[{r}] += {q}[{i}];")
    loop = f"for (int {i} = 0; {i} < 8; {i}++) {{ {work} }}"
    between = p.pick("", f"{p.assigned()} ^= (int)({q}[3] & 255);",
                     f"{q} = (uint64_t*)realloc({q}, (size_t)({r} + 2) * 64 * sizeof *{q}); cells[{r}] ^= {q}[5];",
                     f"memcpy(cells, {q}, 8 * sizeof *{q});")
    return f"""for (int {r} = 0; {r} < 3; {r}++) {{
uint64_t* {q} = (uint64_t*)malloc(64 * sizeof *{q});
for (int {i} = 0; {i} < 64; {i}++) {q}[{i}] = U({i} + {r});
{p.region(loop)}
{between}
free({q});
}}"""


def arena(p):
    """An allocator of the program, which is told to give the same memory again."""
    name, reset, q, r, i = p.helper("al"), p.fresh("used"), p.fresh("q"), p.fresh("q"), p.fresh("i")
    declared = p.pick("", "", "DECLARED_MALLOC ")
    p.before.append(f"static uint64_t {reset}_{p.seed}; static uint64_t {reset}_memory_{p.seed}[128];\n"
                    f"{declared}static {p.pick('', '__attribute__((noinline)) ')}uint64_t* {name}(uint64_t n) {{ "
                    f"uint64_t* at = {reset}_memory_{p.seed} + {reset}_{p.seed}; {reset}_{p.seed} += n; return at; }}")
    again = p.pick(f"{reset}_{p.seed} = 0;", f"{reset}_{p.seed} = 0;", f"{reset}_{p.seed} = 16;")
    loop = f"for (int {i} = 0; {i} < 8; {i}++) {q}[{i}] {p.pick('', '+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[{i} * {p.digit()} & 63], 1 % n_pes));"
    use = p.pick(f"{r}[3] += {p.digit()};", f"{r}[{p.digit(7)}] = {p.digit()};", f"sums[{p.index(63)}] += {r}[2];")
    return f"""{reset}_{p.seed} = 0; memset({reset}_memory_{p.seed}, 0, sizeof {reset}_memory_{p.seed});
uint64_t* {q} = {name}(8);
for (int {i} = 0; {i} < 8; {i}++) {q}[{i}] = 1;
{p.region(loop)}
{again} uint64_t* {r} = {name}(8); {use}
shmem_ctx_quiet(ctx);
for (int {i} = 0; {i} < 128; {i}++) sums[{i} & 63] = sums[{i} & 63] * 3 + {reset}_memory_{p.seed}[{i}];"""


def chosen(p):
    """Dependent code changes one of several variables, by an address that is chosen, stored or kept in a structure."""
    x, y, t, i, all_ = p.fresh("x"), p.fresh("y"), p.fresh("t"), p.fresh("i"), p.fresh("p")
    which = p.pick(f"{t} & 1", f"{i} & 1")
    reach = p.random.choice([
        f"*({which} ? &{x} : &{y}) += {t};",
        f"{all_}[0] = &{x}; {all_}[1] = &{y}; *{all_}[{which}] ^= {t};",
        f"struct {{ uint64_t* to; uint64_t by; }} one = {{{which} ? &{x} : &{y}, 1}}; one.by += {t}; *one.to += one.by;",
        f"{all_}[0] = {all_}[1] ? {all_}[1] : &{x}; if ({which}) {all_}[1] = &{y}; *{all_}[0] += {t}; {y} += {all_}[1] == &{y};"])
    seen = p.pick("", "", f"sums[{i}] += {x};")
    loop = f"for (int {i} = 0; {i} < {p.digit()}; {i}++) {{ const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[{i}], {p.pe()})); {reach} {seen} }}"
    return (f"\n{{ uint64_t {x} = {p.digit()}, {y} = 0, *{all_}[2] = {{0, 0}}; (void){all_};\n{p.region(loop)}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}\n"
            f"sums[{p.digit()}] += {x} * 3 + {y}; }}")


def kept(p):
    """Memory that the library has been given, which it writes in each round: a text that it walks through, a buffer of a stream."""
    t, k, i, j = p.fresh("t"), p.fresh("k"), p.fresh("i"), p.fresh("j")
    place = 2 * p.random.randint(0, 7) + 1
    declared, step, read, end = p.random.choice([
        (f'char {t}[] = "a,b,c,d,e,f,g,h"; char* {k}; strtok_r({t}, ",", &{k});', f'strtok_r(NULL, ",", &{k});', f"{t}[{place}]", ""),
        (f'char {t}[16] = ""; FILE* {k} = fmemopen({t}, 16, "w"); setbuf({k}, NULL);', f"fputc(65 + {i}, {k});", f"{t}[{place % 6}]", f"fclose({k});"),
        (f'char {t}[16] = ""; FILE* {k} = fopen("/dev/null", "w"); setvbuf({k}, {t}, _IOFBF, 16);', f'fprintf({k}, "%d", {i});', f"{t}[{place % 6}]",
         f"fclose({k});"),
        (f"char* {t} = NULL; size_t {t}_bytes = 0; FILE* {k} = open_memstream(&{t}, &{t}_bytes);", f'fputs("xyz", {k}); fflush({k});', f"{t}_bytes",
         f"fclose({k}); free({t});"),
        (f'char {t}[] = "12 "; char* {k}; strtol({t}, &{k}, 10);', f"*{k} = (char)(65 + {i});", f"{t}[2]", "")])
    use = f"sums[{p.index(63)}] += {a_fetch(p)} + U({read});"
    row = p.pick(use, f"for (int {j} = 0; {j} < 2; {j}++) {{ {use} }}")
    body = p.pick(f"{step} {row}", f"{step} {row}", f"{row} {step}", f"if ({i} & 1) {{ {step} }} {row}")
    return f"{declared}\n{p.region(f'for (int {i} = 0; {i} < {p.digit(6)}; {i}++) {{ {body} }}')}\n{p.pick('', 'shmem_ctx_quiet(ctx);')} {end}"
