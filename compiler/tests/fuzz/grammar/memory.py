# SPDX-License-Identifier: BSD-3-Clause
"""What this PE does to the places that it fetches, and what it reads behind a region."""


def fetched(p, array, index, pe):
    t = p.fresh("t")
    return t, f"const int64_t {t} = shmem_ctx_int64_{p.pick('g', 'atomic_fetch')}(ctx, &{array}[{index}], {pe});"


def surrounded(p, t, fetch, write):
    """The use stands before or behind the write."""
    use = p.use(f"U({t})")
    return f"{fetch} {write} {use}" if p.chance(.5) else f"{fetch} {use} {write}"


def place(p):
    return p.pick(f"{p.loops[-1]} & 63" if p.loops else "5", f"{p.variable()} & 63", p.index(63))


def then_own_store(p):
    """A place of this PE is fetched, and then stored to."""
    array, index = p.pick("moved", "also_moved"), place(p)
    k = p.fresh("k")
    t, fetch = fetched(p, array, k, "0")
    write = p.random.choice([f"{array}[{k}] = (int64_t)({p.value(1)} & 255);", f"{array}[{k}]++;", f"{array}[{k}] = -1;",
                             f"{array}[({k} + 1) & 63] ^= 3;", f"{array}[{k}] = {t} ^ 5;"])
    before = f"{array}[{k}] ^= {p.digit()};" if p.chance(.3) else ""
    return f"const uint64_t {k} = U({index}); {before} {surrounded(p, t, fetch, write)}"


def then_put(p):
    """A place is fetched, and then changed by an operation on the default context, which happens at once."""
    array, index, k, pe = p.pick("moved", "also_moved"), place(p), p.fresh("k"), p.fresh("pe")
    t, fetch = fetched(p, array, k, pe)
    value = f"(int64_t)({p.value(1)} & 255)"
    write = p.random.choice([f"shmem_int64_p(&{array}[{k}], {value}, {pe});", f"shmem_int64_atomic_add(&{array}[{k}], {value}, {pe});",
                             f"shmem_int64_atomic_set(&{array}[{k}], {value}, {pe});",
                             f"(void)shmem_int64_atomic_swap(&{array}[{k}], {value}, {pe});", f"shmem_int64_p(&{array}[{k}], -1, {pe});",
                             f"shmem_int64_p(&{array}[{k}], {t} ^ 5, {pe});"])
    return f"const uint64_t {k} = U({index}); const int {pe} = {p.pe()}; {surrounded(p, t, fetch, write)}"


def then_copy(p):
    """A place of this PE is fetched, and then written by a library function."""
    array, k, source = p.pick("moved", "also_moved"), p.fresh("k"), p.fresh("w")
    t, fetch = fetched(p, array, k, "0")
    write = p.random.choice([f"memset(&{array}[{k}], 1, sizeof(int64_t));", f"memcpy(&{array}[{k}], {source}, sizeof {source});",
                             f"shmem_putmem(&{array}[{k}], {source}, sizeof {source}, 0);", f"shmem_int64_put(&{array}[{k}], {source}, 2, 0);",
                             f"memmove(&{array}[{k}], &{array}[{k} + 1], 2 * sizeof(int64_t));"])
    return (f"const uint64_t {k} = U({place(p)}) & 31; const int64_t {source}[2] = {{(int64_t)({p.value(1)} & 63), 7}}; (void){source}; "
            + surrounded(p, t, fetch, write))


def on_a_place_of_its_own(p, context, writes):
    """A place that nobody else touches before the quiet at the function's begin is fetched, and then changed."""
    setup = "shmem_ctx_quiet(ctx); shmem_ctx_quiet(second); int next_taken = 0;"
    if setup not in p.entry:
        p.entry.append(setup)
    k, pe = p.fresh("k"), p.fresh("pe")
    t, fetch = fetched(p, "taken", k, pe)
    write = p.random.choice(writes).format(place=f"{context}, &taken[{k}]", value=t, pe=pe)
    return (f"if (next_taken < 256) {{ const int {k} = next_taken++; const int {pe} = {p.pick('1 % n_pes', p.pe())}; "
            f"{surrounded(p, t, fetch, write)} }}")


def then_other_context(p):
    return on_a_place_of_its_own(p, "second", ["shmem_ctx_int64_p({place}, -3, {pe});", "shmem_ctx_int64_atomic_add({place}, 1000, {pe});"])


def then_update(p):
    """On the same context: one place keeps the order of the program."""
    return on_a_place_of_its_own(p, "ctx", ["shmem_ctx_int64_p({place}, {value} + 1, {pe});", "shmem_ctx_int64_p({place}, -3, {pe});",
                                            "shmem_ctx_int64_atomic_add({place}, 1000, {pe});", "shmem_ctx_int64_atomic_inc({place}, {pe});"])


def serials(p):
    """Code that stays changes what dependent code reads, or the other way round."""
    t = p.fresh("t")
    fetch = f"const int64_t {t} = shmem_ctx_int64_g(ctx, &still_long[{p.index(63)}], {p.pe()});"
    cell = f"cells[{p.digit(3)}]"
    counted = p.random.choice([cell, "own.serial", "own.nested[1].a", "reals[7]", "s->serial", "*c"])
    before = f"struct own* const s = &own; uint64_t* const c = &{cell}; (void)s; (void)c;"
    count, use = f"{counted} += 1;", f"sums[{p.index(63)}] += U({t}) * 1000 + U({counted});"
    return p.random.choice([f"{before} {count} {fetch} {use}", f"{before} {fetch} {count} {use}", f"{before} {fetch} {use} {count}",
                            f"{before} {fetch} {use} sums[3] = U({counted}); {count}",
                            f"{before} {fetch} {counted} += {t} & 3; sums[{p.index(31)}] ^= 5; sums[7] += U({counted});"])


def phases(p):
    """Loops behind each other that hand on arrays."""
    n, i, pe = p.digit(8), p.fresh("i"), p.pe()
    t = p.fresh("t")
    fetch = f"shmem_ctx_int64_g(ctx, &still_long[{i} * {p.digit()} & 63], {pe})"
    local = p.chance(.3)
    array = t if local else p.pick("sums", "cells")
    declared = f"uint64_t {t}[16] = {{{p.digit()}}};" if local else ""
    loops = [f"for (int {i} = 0; {i} < {n}; {i}++) {array}[{i}] {p.pick('', '+', '^')}= U({fetch});",
             f"for (int {i} = 0; {i} < {n}; {i}++) {{ sums[{i} + 16] += {array}[{i}] * {p.digit()}u; }}",
             f"for (int {i} = 0; {i} < {n}; {i}++) {array}[15 - {i}] = {array}[{i}] + U({fetch});",
             f"{array}[{p.digit()}] = {p.value(1)};", f"sums[{p.index(63)}] += {array}[{p.digit()}];",
             f"sums[{p.index(63)}] += {array}[{p.digit()}] * U({fetch.replace(i, p.digit())});"]
    return declared + " ".join(p.random.sample(loops, 4))


def read_behind(p):
    """Memory that is read behind a region without a quiet."""
    n, i = p.digit(12), p.fresh("i")
    name = p.pick("sums", "cells")
    fetch = f"shmem_ctx_int64_g(ctx, &still_long[{i} & 63], {p.pe()})"
    loop = f"for (int {i} = 0; {i} < {n}; {i}++) {name}[{i}] {p.pick('', '+')}= U({fetch}) * {p.digit()}u;"
    return f"\n{p.region(loop)}\nfor (int {i} = 0; {i} < {n}; {i}++) {p.assigned()} ^= (int)({name}[{i}] & 255) * {i};"


def seen_effects(p):
    """What fetches change is seen by an operation on another context."""
    i, k = p.fresh("i"), p.random.randint(0, 7)
    call = p.pick(f"atomic_fetch_inc(ctx, &tickets[{k}], 1 % n_pes)", f"atomic_fetch_add(ctx, &tickets[{k}], {p.digit()}, 1 % n_pes)",
                  f"atomic_swap(ctx, &tickets[{k}], {i} + 3, 1 % n_pes)")
    loop = f"for (int {i} = 0; {i} < {p.digit()}; {i}++) sums[{i}] += U(shmem_ctx_int64_{call});"
    look = p.pick(f"shmem_int64_atomic_fetch(&tickets[{k}], 1 % n_pes)", f"shmem_int64_g(&tickets[{k}], 1 % n_pes)",
                  f"shmem_int64_atomic_fetch_add(&tickets[{k}], 5, 1 % n_pes)")
    return f"\n{p.region(loop)}\n{p.assigned()} += (int)({look} & 1023);"
