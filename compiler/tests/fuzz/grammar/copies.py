# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are reached through structures and pointers which were copied, or set by functions."""

VIEW = "struct view { uint64_t* at; uint64_t n; };"


def declare_view(p):
    # Each file has its own; programs of one file share it.
    guard = "#ifndef HAS_VIEW\n#define HAS_VIEW\n" + VIEW + "\n#endif"
    if guard not in p.before:
        p.before.insert(0, guard)


def filler(p, name, body):
    inline = p.pick("", "", "__attribute__((noinline)) ", "inline ")
    p.before.append(f"static {inline}{body.format(name=name)}")


def in_pieces(p, array):
    """The address as a number, in parts, or by operations that no type of a pointer tells of."""
    v, w, k, name = p.fresh("x"), p.fresh("w"), p.fresh("k"), p.helper("h")
    declared = f"uint64_t *{v} = {array}, *{w} = rest;"
    kind = p.random.randrange(8)
    if kind == 0:
        return (f"const uint32_t {v} = (uint32_t)(uintptr_t){array}, {k} = (uint32_t)((uintptr_t){array} >> 32);",
                f"((uint64_t*)((uintptr_t){k} << 32 | {v}))")
    if kind == 1:
        return f"{declared} for (int {k} = 0; {k} < 8; {k}++) ((unsigned char*)&{w})[{k}] = ((unsigned char*)&{v})[{k}];", w
    if kind == 2:
        return f"{declared} double {k}; memcpy(&{k}, &{v}, sizeof {k}); memcpy(&{w}, &{k}, sizeof {w});", w
    if kind == 3:
        order = p.pick("__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST")
        return f"{declared} {v} = __atomic_exchange_n(&{w}, {v}, {order}); (void){v};", w
    if kind == 4:
        return f"const uintptr_t {v} = __builtin_bswap64((uintptr_t){array});", f"((uint64_t*)__builtin_bswap64({v}))"
    if kind == 5:
        return f"uintptr_t {v}; (void)__builtin_add_overflow((uintptr_t){array}, (uintptr_t)0, &{v});", f"((uint64_t*){v})"
    if kind == 6:
        filler(p, name, "void {name}(uint64_t*** to, uint64_t* at) {{ **to = at; }}")
        return f"{declared} uint64_t** {k} = &{w}; {name}(&{k}, {v});", w
    filler(p, name, "void {name}(unsigned char* to, const unsigned char* from, int n) {{ while (n-- > 0) to[n] = from[n]; }}")
    return f"{declared} {name}((unsigned char*)&{w}, (const unsigned char*)&{v}, (int)sizeof {w});", w


def copies_of(p, array):
    """Statements, and an expression of which the first element is that of the array."""
    if p.chance(.4):
        return in_pieces(p, array)
    v, w, name = p.fresh("x"), p.fresh("w"), p.helper("h")
    made = f"struct view {v} = {{{array}, {p.digit()}}};"
    kind = p.random.randrange(10)
    if kind == 0:
        return f"{made} struct view {w}; {w} = {v};", f"{w}.at"
    if kind == 1:
        return f"{made} struct view {w}; memcpy(&{w}, &{v}, sizeof {w});", f"{w}.at"
    if kind == 2:
        k = p.fresh("k")
        return f"{made} struct view {w}[4]; for (int {k} = 0; {k} < 4; {k}++) {w}[{k}] = {v};", f"{w}[{p.index(3)}].at"
    if kind == 3:
        return f"uint64_t *{v} = {array}, *{w}; memcpy(&{w}, &{v}, sizeof {w});", w
    if kind == 4:
        filler(p, name, "void {name}(struct view* to, uint64_t* at) {{ to->at = at; to->n = 1; }}")
        return f"struct view {w}; {name}(&{w}, {array});", f"{w}.at"
    if kind == 5:
        filler(p, name, "void {name}(struct view* to, const struct view* from) {{ *to = *from; }}")
        return f"{made} struct view {w}; {name}(&{w}, &{v});", f"{w}.at"
    if kind == 6:
        filler(p, name, "struct view {name}(uint64_t* at) {{ const struct view one = {{at, 3}}; return one; }}")
        return f"const struct view {w} = {name}({array});", f"{w}.at"
    if kind == 7:
        filler(p, name, "void {name}(uint64_t** to, uint64_t* at) {{ *to = at; }}")
        return f"uint64_t* {w}; {name}(&{w}, {array});", w
    if kind == 8:
        t = p.fresh("t")
        return (f"{made} struct view {w} = {{rest, 1}}; {{ const struct view {t} = {v}; {v} = {w}; {w} = {t}; }}", f"{w}.at")
    return (f"struct {{ struct view a[2]; int n; }} {v}, {w}; {v}.a[0].at = rest; {v}.a[1].at = {array}; {v}.n = 1; {w} = {v}; (void){v}.n;",
            f"{w}.a[1].at")


def reached_by_copies(p):
    """What stays uses one way to an object, what depends on a fetch another."""
    declare_view(p)
    array, i = p.pick("sums", "cells", "totals"), p.fresh("i")
    before, pointer = copies_of(p, array)
    t = p.fresh("t")
    fetch = f"const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[{i} * {p.digit()} & 63], {p.pe()}));"
    stays = p.pick(f"{pointer}[{i} & 7] *= 3;", f"rest[{i}] += {pointer}[{i} & 7];")
    depends = f"{array}[{i} & 7] += {t};"
    if p.chance(.5):
        stays, depends = stays.replace(f"{pointer}[", f"{array}["), depends.replace(f"{array}[", f"{pointer}[")
    parts = p.pick([stays, fetch, depends], [fetch, stays, depends], [fetch, depends, stays])
    loop = f"for (int {i} = 0; {i} < {p.digit()}; {i}++) {{ {' '.join(parts)} }}"
    return f"{before}\n{p.region(loop)}"


PAIR = "struct pair { uint64_t *one, *two; };"


def changed_places(p):
    """Two arrays that a structure names change places there, in each round or behind the statement."""
    guard = "#ifndef HAS_PAIR\n#define HAS_PAIR\n" + PAIR + "\n#endif"
    if guard not in p.before:
        p.before.insert(0, guard)
    name, both, i, j, k, t = p.helper("ch"), p.helper("pr"), p.fresh("i"), p.fresh("j"), p.fresh("k"), p.fresh("t")
    p.before.append(f"__attribute__((noinline)) static void {both}(struct pair* p) {{ uint64_t* const k = p->one; p->one = p->two; p->two = k; }}")
    move = p.pick("{ uint64_t* const k = p->one; p->one = p->two; p->two = k; }", f"{both}(p);", "{ const struct pair k = {p->two, p->one}; *p = k; }",
                  "{ const struct pair k = *p; p->one = k.two; p->two = k.one; }",
                  "{ uint64_t* k; memcpy(&k, &p->one, sizeof k); memcpy(&p->one, &p->two, sizeof k); memcpy(&p->two, &k, sizeof k); }")
    fetch = f"const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[({i} * {p.digit()} + {j}) & 63], 0));"
    depends = f"for (int {j} = 0; {j} < 4; {j}++) {{ {fetch} p->one[{j}] = p->one[{j}] * 3 + {t}; }}"
    stays = p.pick(f"p->two[{i} & 3] += {p.digit()}u;", f"rest[{i}] += p->two[{i} & 3];")
    head = f"for (int {i} = 0; {i} < {p.digit()}; {i}++)"
    directive = "#pragma shmem defer" if p.chance(.8) else "#pragma shmem defer nowait"
    inside = f"{directive}\n{head} {{ {depends} {stays} {move} }}"
    around = f"{head} {{\n{directive}\n{depends}\n{move} {stays} }}"
    p.before.append(f"__attribute__((noinline)) static void {name}(shmem_ctx_t ctx, struct pair* p) {{\n{p.pick(inside, around)}\nshmem_ctx_quiet(ctx); }}")
    return f"struct pair {k} = {{sums, cells}}; {name}(ctx, &{k});"
