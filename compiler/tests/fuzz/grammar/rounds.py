# SPDX-License-Identifier: BSD-3-Clause
"""Fetches of this PE's memory that earlier rounds write, and objects that later fetches change."""


def recurrence(p):
    """A round fetches what one before it has stored; or stores where none fetches any more."""
    i, j, t, array = p.fresh("i"), p.fresh("j"), p.fresh("t"), p.pick("moved", "also_moved")
    by = p.random.randint(1, 7)
    store, fetch = f"{array}[{{}}] = ({t} * {p.digit()} + {p.digit()}) & 255;", f"const int64_t {t} = shmem_ctx_int64_g(ctx, &{array}[{{}}], 0);"

    def body(at, to):
        return f"{{ {fetch.format(at)} {store.format(to)} }}"

    up, step = f"{i} + {by}", p.random.randint(1, 2)
    loop = p.random.choice([
        lambda: f"for (int {i} = 0; {i} < 40; {i} += {step}) " + body(i, up),
        lambda: f"for (int {i} = 0; {i} < 40; {i} += {step}) " + body(up, i),
        lambda: f"for (int64_t {i} = 40; {i} >= 0; {i} -= {step}) " + body(up, i),
        lambda: f"for (int64_t {i} = 40; {i} >= 0; {i} -= {step}) " + body(i, up),
        lambda: f"for (int {i} = 0; {i} < 40; {i}++) " + body(f"{i} & 31", f"({i} + {by}) & 31"),
        lambda: f"for (int {i} = 0; {i} < 32; {i}++) " + body(i, f"{i} ^ {by}"),
        lambda: f"for (int {i} = 0; {i} < 30; {i}++) " + body(i, f"2 * {i} + 1"),
        lambda: f"for (int {i} = 1; {i} < 60; {i}++) " + body(f"{i} / 2", i),
        lambda: f"for (int {i} = 1; {i} < 7; {i}++) for (int {j} = 0; {j} < 8; {j}++) " + body(f"8 * ({i} - 1) + {j}", f"8 * {i} + {j}"),
        lambda: f"for (int {i} = 0; {i} < 6; {i}++) for (int {j} = 0; {j} < 8; {j}++) " + body(f"8 * ({i} + 1) + {j}", f"8 * {i} + {j}"),
        lambda: f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < 40; {j}++) " + body(f"{j} + {by}", j),
        lambda: f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < 40; {j}++) " + body(f"63 - {j}", j),
        lambda: f"for (int64_t {i} = 0, {j} = {by}; {i} < 40; {i}++, {j}++) " + body(i, j),
        lambda: f"{{ int64_t* {i} = {array}; while ({i} < {array} + 40) {{ {fetch.format(f'{i} - {array}')} {i}[{by}] = ({t} + {p.digit()}) & 255; {i}++; }} }}",
        lambda: f"for (int {i} = 0; {i} < 6; {i}++) {{ for (int {j} = 0; {j} < 50; {j}++) sums[{j}] += U(shmem_ctx_int64_g(ctx, "
                f"&{array}[({j} + {8 * by}) & 63], 0)); {array}[{by}] = {i}; }}",
        lambda: f"for (int {i} = 0; {i} < 6; {i}++) {{ for (int {j} = 0; {j} < ({i} == 4 ? 40 : 3); {j}++) totals[{j}] ^= U(shmem_ctx_int64_g(ctx, "
                f"&{array}[{j}], 0)); {array}[{20 + by}] = (int64_t)(totals[2] & 255); }}",
        lambda: f"for (int {i} = 0; {i} < 700; {i}++) " + body(f"{i} < 600 ? 3 : {by}", f"{i} < 600 ? {by} : 3"),
        lambda: f"{{ int {j} = 0; for (int {i} = 1; {i} < 40; {i}++) {{ {fetch.format(j)} {store.format(i)} {j} = {i}; }} }}"])()
    return f"\n{p.region(loop)}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}"


def come_to_again(p):
    """Each round writes where it has fetched, or where a later one may fetch: places that come again, spelt in several ways."""
    i, k, t, w, array = p.fresh("i"), p.fresh("k"), p.fresh("t"), p.fresh("w"), p.pick("moved", "also_moved")
    name = p.helper("hs")
    p.before.append(f"static int64_t {name}(int64_t i) {{ uint32_t x = (uint32_t)i * 2654435761u + {p.digit()}u; x ^= x >> 15; x *= 5u; return x & 63; }}")
    place = p.random.choice([f"{name}({i})", f"{i} > 20 ? 40 - {i} : {i}", f"({i} * {i}) & 63", f"labs(20 - {i})", f"still_long[{i}] & 63",
                             f"__builtin_popcount((unsigned){i})", f"ffs({i})", f"(int64_t)({i} * .5)", f"(int64_t)(__int128){i} / 2",
                             f"({i} > 3 && {i} < 30 && ({i} & 1))", f"still_long[{i} % 3] & 63"])
    other = place if "still_long" in place else p.random.choice([place, f"{i}"]) # of unknown places one does not see that they meet
    fetched = p.random.choice([f"&{array}[{k}]", f"{array} + {k}"])
    fetch = f"const int64_t {k} = {place}; const int64_t {t} = shmem_ctx_int64_{p.pick('g', 'atomic_fetch')}(ctx, {fetched}, 0);"
    writer = p.helper("wr")
    p.before.append(f"static int {writer}(int64_t at, int64_t v, int n) {{ if (n > 0) return {writer}(at, v, n - 1) + 1; {array}[at] = v; return 0; }}")
    value = f"({t} * {p.digit()} + {p.digit()}) & 255"
    write = p.random.choice([f"{array}[{other}] = {value};", f"if ({t} & 1) {array}[{other}] = {value};", f"{writer}({other}, {value}, 2);",
                             f"const int64_t {w} = shmem_ctx_int64_atomic_swap(ctx, &{array}[{place}], {value}, 0); sums[{i}] += U({w});"])
    return f"\n{p.region(f'for (int {i} = 0; {i} < 40; {i}++) {{ {fetch} {write} }}')}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}"


CURSOR = "struct cursor { int64_t at; int64_t* of; };"


def counted(p):
    """Places by a counter that goes on on conditions, in a loop inside, around a ring, up to a large limit, or that is part of something."""
    i, j, k, t, array = p.fresh("i"), p.fresh("j"), p.fresh("k"), p.fresh("t"), p.pick("moved", "also_moved")
    by, inner = p.random.randint(1, 9), p.random.randint(1, 4)
    guard = "#ifndef HAS_CURSOR\n#define HAS_CURSOR\n" + CURSOR + "\n#endif"
    if guard not in p.before:
        p.before.insert(0, guard)
    forms = [("int64_t {k} = {begin};", "{k}"), ("int64_t {k}[2] = {{3, {begin}}};", "{k}[1]"), ("__int128 {k} = {begin};", "{k}"),
             ("uint8_t {k} = {begin};", "{k}"), ("struct {{ int64_t n : 7, at : 40; }} {k} = {{0, {begin}}};", "{k}.at"), ("struct cursor {k} = {{{begin}, {array}}};", "{k}.at"),
             ("struct {{ int n; struct cursor in[2]; }} {k} = {{0}}; {k}.in[1].at = {begin}; {k}.n = 1;", "{k}.in[1].at")]
    made, at = p.random.choice(forms)
    condition = p.pick(f"{i} & 1", f"still_long[{i} & 63] & 1", f"{i} % 3", f"{i} == 7")

    def move(begin, to, text):
        declared = made.format(k=k, begin=begin, array=array)
        where = at.format(k=k)
        fetch = f"const int64_t {t} = shmem_ctx_int64_g(ctx, &{array}[({where}) & 63], 0);"
        store = f"{array}[({where} {to}) & 63] = ({t} * {p.digit()} + {p.digit()}) & 255;"
        return declared, text.replace("MOVE", f"{fetch} {store}").replace("AT", where)

    to = p.pick(f"+ {by}", f"+ {by}", f"- {by}")
    declared, loop = p.random.choice([
        lambda: move(0, to, f"for (int {i} = 0; {i} < 40; {i}++) {{ MOVE if ({condition}) AT++; }}"),
        lambda: move(30, to, f"for (int {i} = 0; {i} < 24; {i}++) {{ if ({condition}) AT += {inner}; else AT -= {inner}; MOVE }}"),
        lambda: move(0, to, f"for (int {i} = 0; {i} < 24; {i}++) {{ if ({condition}) {{ AT++; continue; }} MOVE AT++; }}"),
        lambda: move(0, to, f"for (int {i} = 0; {i} < 24; {i}++) {{ MOVE if ({condition}) {{ sums[{i}]++; AT++; }} else {{ sums[{i}] ^= 1; AT++; }} }}"),
        lambda: move(0, to, f"for (int {i} = 0; {i} < 7; {i}++) for (int {j} = 0; {j} < {inner}; {j}++) {{ MOVE AT++; }}"),
        lambda: move(0, to, f"for (int {i} = 0; {i} < 7; {i}++) {{ for (int {j} = 0; {j} < (still_long[{i}] & 3); {j}++, AT++) {{ MOVE }} AT += {inner}; }}"),
        lambda: move(0, to, f"for (int {i} = 0; {i} < 40; {i}++) {{ MOVE if (++AT == {by + inner}) AT = 0; }}"),
        lambda: move("(int64_t)(U(v0) & 31)", to, f"for (int {i} = 0; {i} < 80; {i}++) {{ MOVE AT++; }}"),
        lambda: move(0, to, f"for (AT = 0; AT < 40; AT++) {{ MOVE }}"),
        lambda: move(0, to, f"for (uint32_t {i} = 0; {i} < 0xfffffff0u; {i}++) {{ MOVE AT++; if ({i} == 40) break; }}"),
        lambda: move(0, to, f"for (uint64_t {i} = 0; {i} < ~(uint64_t)0; {i}++) {{ MOVE AT++; if ({i} == 30) break; }}")])()
    return f"\n{declared}\n{p.region(loop)}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}"


def changed_later(p):
    """Dependent code loads, stores or fetches, perhaps at another level, where later fetches change something."""
    i, t, w, rounds = p.fresh("i"), p.fresh("t"), p.fresh("w"), p.random.randint(2, 20)
    group = 8 * p.random.randint(0, 7)
    place = f"tickets[{group} + ({{}} & 7)]"
    change = p.random.choice(["fetch_inc(ctx, &{0}, 0)", "fetch_add(ctx, &{0}, 3, 0)", f"swap(ctx, &{{0}}, {i}, 0)", "fetch_xor(ctx, &{0}, 5, 0)"])
    first = f"const int64_t {t} = shmem_ctx_int64_atomic_{change.format(place.format(i))};"
    other = f"const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[{i}], {p.pe()}));"
    there = place.format(f"(U({t}) + {p.digit()})")
    again = p.random.choice([f"g(ctx, &{there}, 0)", f"atomic_fetch(ctx, &{there}, 0)", "atomic_" + change.format(there)])
    uses = [f"sums[{i}] = U({t}) + U({there});", f"{there} = {i} + 3;", f"sums[{i}] += U(shmem_ctx_int64_{again});",
            f"memcpy(&sums[{i}], &{there}, sizeof(int64_t)); totals[{i}] = U({t});",
            f"if ({t} & 1) {{ sums[{i}] += U(shmem_ctx_int64_{again}); }} else {{ totals[3] ^= U({there}); }}"]
    later = f"const int64_t {w} = shmem_ctx_int64_atomic_{change.format(place.format(i))}; scores[{i}] += U({w});"
    body = f"{first} {p.random.choice(uses)}" if p.chance(.7) else f"{other} {p.random.choice(uses)} {later}"
    return f"\n{p.region(f'for (int {i} = 0; {i} < {rounds}; {i}++) {{ {body} }}')}\n{p.pick('', 'shmem_ctx_quiet(ctx);')}"
