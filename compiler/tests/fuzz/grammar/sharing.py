# SPDX-License-Identifier: BSD-3-Clause
"""What others see: output, errno, locks, and flags for other PEs."""
from . import fetches


def tell(p, what):
    if p.chance(.15):
        return f"say(U({what}));"
    return f'fprintf(notes, "%d ", (int)({what}));' if p.chance(.25) else f'printf("%d ", (int)({what}));'


def line(p):
    return p.pick('fputs("\\n", notes);', "fputc('\\n', notes);", 'fprintf(notes, "\\n");', 'printf("\\n");', 'puts("-");', "putchar('-');")


def output(p):
    """Calls that keep their order: of the C library, and of functions that nobody knows."""
    t, u, i = p.fresh("t"), p.fresh("t"), p.fresh("i")
    fetch = f"const int64_t {t} = (int64_t){fetches.long_one(p)};"
    row = (f"for (int {i} = 0; {i} < {p.digit(4)}; {i}++) {{ const int64_t {u} = "
           f"shmem_ctx_int64_g(ctx, &still_long[{i}], {p.pe()}); {tell(p, u)} }} {line(p)}")
    return p.random.choice([row, f"{fetch} {tell(p, t)} {line(p)}", f"{tell(p, p.value(2))} {fetch} {tell(p, t)}",
                            f"{fetch} {tell(p, t)} {p.update()} {tell(p, p.value(2))}",
                            f"{fetch} if ({t} & 1) {{ {tell(p, t)} }} {line(p)}", f"{fetch} sums[{p.index(63)}] += U({t}) + serial_number();",
                            f"const uint64_t {u} = serial_number(); {fetch} sums[{p.index(63)}] += U({t}) * {u};"])


def told_in_rounds(p):
    """Each round tells something in front of the fetch, or on a condition."""
    i, t = p.fresh("i"), p.fresh("t")
    p.loops.append(i)
    fetch = f"const int64_t {t} = (int64_t){fetches.long_one(p)}; {tell(p, t)}"
    other = p.pick(tell(p, p.value(2)), line(p))
    body = p.pick(f"{other} {fetch}", f"{fetch} if {p.condition()} {{ {other} }}", f"if {p.condition()} {{ {other} }} else {{ {fetch} }}")
    p.loops.remove(i)
    return "\n" + p.region(f"for (int {i} = 0; {i} < {p.digit(6)}; {i}++) {{ {body} }}") + "\n"


def errors(p):
    name, t = p.helper("e"), p.fresh("t")
    p.before.append(f"static uint64_t {name}(uint64_t x) {{ if (x & {p.digit(4)}) {{ errno = {p.pick('ERANGE', 'EDOM')}; return 1; }} return x; }}")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)};"
    cell = f"sums[{p.index(63)}]"
    return p.random.choice([f"errno = 0; {fetch} {cell} += {name}({t}); if (errno == ERANGE) {cell} ^= 9;",
                            f"{fetch} errno = (int)({t} & 31); {cell} += U(errno);",
                            f"{fetch} errno = 3; {cell} += {name}({t}) + U(errno);",
                            f"{cell} += {name}({fetches.long_one(p)}); {cell} ^= U(errno); errno = 0;"])


def lock_inside(p):
    """Locked, changed, unlocked, in a region."""
    k = p.random.randint(0, 7)
    change = p.random.choice([f"shmem_int64_p(&guarded[{k}], v + {p.digit()}, 1 % n_pes);", f"guarded[{k}] += v;",
                              f"shmem_int64_atomic_add(&guarded[{k}], v, 1 % n_pes);"])
    fetch = f"const int64_t v = shmem_ctx_int64_g(ctx, &guarded[{k}], 1 % n_pes) & 1023;"
    return f"shmem_set_lock(&lock); {fetch} {change} shmem_clear_lock(&lock);"


def locked(p):
    """The same around a region."""
    r = p.fresh("r")
    quiet = p.pick("", "", "shmem_quiet();")
    region = p.region("{ " + lock_inside(p).removeprefix("shmem_set_lock(&lock);").removesuffix("shmem_clear_lock(&lock);") + " }")
    return f"for (int {r} = 0; {r} < {p.digit(5)}; {r}++) {{ shmem_set_lock(&lock);\n{region}\n{quiet} shmem_clear_lock(&lock); }}"


def flags(p):
    """Messages that a PE may read as soon as the flag says so; each is written once before that."""
    at, i = p.fresh("n"), p.fresh("i")
    fetch = f"shmem_ctx_int64_g(ctx, &still_long[({at} + {i}) & 63], {p.pe()})"
    loop = f"for (int {i} = 0; {i} < {p.digit(6)}; {i}++) {{ {p.pick('', p.plain_fetch())} messages[{at} + {i}] = {fetch} + {p.digit()}; }}"
    rounds = p.random.randint(1, 6)
    told = p.fresh("f")
    strided = f"const uint64_t {told}[1] = {{U({at} + {rounds})}}; shmem_ctx_uint64_iput(ctx, &flag, {told}, 1, 1, 1, 1 % n_pes);"
    send = p.pick(strided, f"shmem_signal_set(&flag, U({at} + {rounds}), 1 % n_pes);", f"shmem_signal_set(&flag, U({at} + {rounds}), 1 % n_pes);",
                  f"shmem_fence(); shmem_signal_set(&flag, U({at} + {rounds}), 1 % n_pes);",
                  f"shmem_int64_put_signal(&moved[1], &messages[{at}], 1, &flag, U({at} + {rounds}), SHMEM_SIGNAL_SET, 1 % n_pes);")
    loop = loop.replace(f"{i} < {loop.split(f'{i} < ')[1].split(';')[0]}", f"{i} < {rounds}", 1)
    p.entry.append(f"int {at} = 0;")
    return f"if ({at} < 200) {{\n{p.region(loop)}\n{send} {at} += {rounds}; }}"
