# SPDX-License-Identifier: BSD-3-Clause
"""Ways out of a region, and many rounds of one."""
from . import fetches


def exits(p):
    """A jump inside the region, on a condition that is not fetched or is."""
    t, i, label = p.fresh("t"), p.fresh("i"), p.fresh("out")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)};"
    where = f"{i} == {p.digit(4)}" if p.chance(.7) else f"({t} & 7) == 5"
    jump = p.pick("break", "continue", f"goto {label}")
    inner = f"{fetch} if ({where}) {jump}; {p.use(t)}" if p.chance(.6) else f"if ({i} == {p.digit(4)}) {jump}; {fetch} {p.use(t)}"
    return f"for (int {i} = 0; {i} < 6; {i}++) {{ {inner} }} {f'{label}:;' if jump.startswith('goto') else ''}"


def leaves_expression(p):
    """A statement expression with a way out, in the expression that uses the fetch."""
    t, i = p.fresh("t"), p.fresh("i")
    jump = p.pick("break", "continue")
    sum_ = p.pick("sums[5]", p.assigned())
    fetch = fetches.long_one(p)
    return (f"for (int {i} = 0; {i} < 6; {i}++) {{ uint64_t {t} = 0; {sum_} += (int)((({t} = {fetch}) + "
            f"__extension__({{ if ({i} == {p.digit(4)}) {jump}; U({i}); }})) & 255); }}")


def early_return(p):
    name = p.helper("q")
    found = p.pick("i == stop", "(v & 15) == 7", "i > 2 && (v & 1)")
    p.before.append(f"""static uint64_t {name}(shmem_ctx_t ctx, int stop) {{
uint64_t s = 0, local[8]; uint64_t* const q = local;
#pragma shmem defer
for (int i = 0; i < 8; i++) {{
const uint64_t v = U(shmem_ctx_int64_g(ctx, &still_long[i * {p.digit()}], 1 % n_pes));
if ({found}) return {p.pick('s', 'v', 'U(i)')};
{p.pick('s += v;', 'q[i] = v; s ^= q[i];', 'q[i] = v; sums[i] += q[i];')}
}}
return s * 3;
}}""")
    return f"{p.assigned()} ^= (int)({name}(ctx, {p.digit(8)}) & 1023);"


def long_jump(p):
    """The frame that deferred work writes ends by longjmp."""
    name, back = p.helper("j"), f"back{p.number}_{p.seed}"
    p.before.append(f"""static jmp_buf {back};
static void __attribute__((noinline)) {name}(shmem_ctx_t ctx, int stop) {{
uint64_t local[16]; uint64_t* const q = local;
#pragma shmem defer
for (int i = 0; i < 16; i++) {{
if (i == stop) longjmp({back}, 1);
q[i] = U(shmem_ctx_int64_g(ctx, &still_long[i], 1 % n_pes));
{p.pick('', 'sums[i] += q[i];')}
}}
for (int i = 0; i < 16; i++) cells[i] += q[i];
}}
static uint64_t __attribute__((noinline)) {name[:-1]}_after)(shmem_ctx_t ctx) {{
volatile uint64_t mine[64]; uint64_t s = 0;
for (int i = 0; i < 64; i++) mine[i] = U(i);
shmem_ctx_quiet(ctx);
for (int i = 0; i < 64; i++) s += mine[i];
return s;
}}
static void __attribute__((noinline)) {name[:-1]}_try)(shmem_ctx_t ctx) {{ if (setjmp({back}) == 0) {name}(ctx, {p.digit(15)}); }}""")
    return f"{name[:-1]}_try)(ctx); sums[9] += {name[:-1]}_after)(ctx);"


def many_rounds(p):
    """So many that queues are full."""
    i = p.fresh("i")
    fetch = f"const uint64_t v = U(shmem_ctx_int64_g(ctx, &still_long[{i} * {p.digit()} & 63], {i} % n_pes));"
    use = p.pick("sums[v & 63] = sums[v & 63] * 3 + U(" + i + ");", f"sums[{i} & 63] ^= v * U({i});",
                 f"if (v & 1) {{ const uint64_t w = U(shmem_ctx_int64_g(ctx, &still_long[(v + U({i})) & 63], PE(v))); sums[w & 63] += U({i}); }}")
    quiet = p.pick("", "shmem_ctx_quiet(ctx);")
    rounds = p.pick("300", "1000", "3000")
    return f"\n{p.region(f'for (int {i} = 0; {i} < {rounds}; {i}++) {{ {fetch} {use} }}')}\n{quiet} {p.assigned()} ^= (int)(sums[3] & 255);"


def computed_goto(p):
    """Labels as values, beside a statement in a function with them, or in one that calls it."""
    name, caller = p.helper("g"), p.helper("g")
    fetch = f"U(shmem_ctx_int64_g(ctx, &still_long[(i * {p.digit()} + (int)(x & 7)) & 63], 1 % n_pes))"
    body = f"{p.pick('', f'if (i & {p.digit(3)})')} {p.pick('s += ', 'sums[i] ^= ')}{fetch};"
    work = f"#pragma shmem defer\nfor (int i = 0; i < {p.digit(6)}; i++) {{ {body} }}\n"
    work += p.pick("", "shmem_ctx_quiet(ctx);")
    labels = f"{p.pick('static ', '')}const void* {p.pick('const ', '')}labels[] = {{&&one, &&other, &&end}};"
    parts = p.random.choice([f"{work}\ngoto *labels[x % 3];\none: s *= 3; goto end;\nother: s ^= sums[2];\nend: return s;",
                             f"goto *labels[x % 3];\none: s = 5; {{\n{work}\n}} goto end;\nother: s += 9;\nend: return s;",
                             f"int at = 0;\none: s += 2;\nother: {{\n{work}\n}}\nif (++at < 4) goto *labels[(x >> at) & 1];\nend: return s;"])
    beside = p.chance(.6)  # the statement stands in the caller: with a computed goto beside it nothing is deferred
    if beside:
        parts = parts.replace(work, "s = s * 5 + 1;")
    p.before.append(f"static {p.pick('', 'inline ')}uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{\n"
                    f"(void)ctx; uint64_t s = 1;\n{labels}\n{parts}\n}}")
    p.before.append(f"static uint64_t {caller}(shmem_ctx_t ctx, uint64_t x) {{\nuint64_t s = x;\n{work}\n"
                    f"{p.pick('', 'if (s & 1) ')}s += {name}(ctx, s);\n{work if p.chance(.3) else ''}\nreturn s;\n}}")
    return f"sums[{p.digit()}] += {caller if beside or p.chance(.3) else name}(ctx, {p.value(1)});"


def no_rounds(p):
    """A function's loops have no round, and need neither the context nor what they would fetch; or they have some."""
    name = p.helper("z")
    p.before.append(idle_function(p, name))
    idle = f"{name}(0, 0, {p.pick('0', 'no_rounds')})"
    some = f"{name}(ctx, still_long, {p.digit(6)})"
    perhaps = f"{name}(ctx, still_long, (int)({p.value(1)} & 3))"
    return f"sums[{p.digit()}] += {p.pick(idle, f'{idle} + {some}', perhaps)};"


def idle_function(p, name):
    """With no rounds it returns 5. What stands behind its fetch may be vectorised, be on a condition, or be in another loop."""
    fetch = "U(shmem_ctx_int64_g(ctx, &at[i], {}))"
    body = p.random.choice([
        f"for (int i = 0; i < n; i++) s += {fetch.format('0')};",
        f"for (int i = 0; i < n; i++) {{ const uint64_t v = {fetch.format('i % n_pes')}; if (v & 1) sums[i] += v; }}",
        f"for (int i = 0; i < n; i++) {{ uint64_t v = 0; if (i & 1) v = {fetch.format('0')}; s = s * 3 + v; }}",
        f"for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) s ^= {fetch.format('i % n_pes')} * U(k + 1);",
        f"for (int i = 0; i < n; i++) {{ const uint64_t v = {fetch.format('0')}; s += U(shmem_ctx_int64_g(ctx, &at[v & 63], 0)); }}",
        f"if (n > 0) {{ const int i = n & 1; s += {fetch.format('0')}; }}",
        f"for (int i = 0; i < n; i++) {{ const uint64_t v = {fetch.format('0')}; shmem_ctx_int64_atomic_add(ctx, &posted[v], 1, 0); }}"])
    quiet = p.pick("", "", "if (n > 0) shmem_ctx_quiet(ctx);")
    head = f"static {p.pick('', '__attribute__((noinline)) ', 'inline ')}uint64_t {name}(shmem_ctx_t ctx, const int64_t* at, int n)"
    return f"{head} {{\nuint64_t s = 5;\n#pragma shmem defer\n{body}\n{quiet}\nreturn s;\n}}"


def statement_kinds(p):
    """The directive stands before any kind of statement, perhaps with another directive in it."""
    i, t, label = p.fresh("i"), p.fresh("t"), p.fresh("again")
    fetch = f"const uint64_t {t} = {fetches.long_one(p)}; {p.use(t)}"
    short = f"sums[{p.digit()}] {p.pick('', '+', '^')}= {fetches.long_one(p)};"
    inner = p.pick("", "#pragma shmem defer\n")
    statement = p.random.choice([
        short,
        f"while ({i}++ < {p.digit()}) {{ {fetch} }}",
        f"while ({i}++ < {p.digit()}) {short}",
        f"do {{ {fetch} }} while ({i}++ < {p.digit()});",
        f"do {short} while ({i}++ < {p.digit()});",
        f"for (; {i} < {p.digit()}; {i}++) {short}",
        f"for (;;) {{ {fetch} if ({i}++ == {p.digit()}) break; }}",
        f"switch ({p.value(1)} & 3) {{ case 0: {{ {fetch} break; }} case 1: {short} break; default: {{ {fetch} {short} }} }}",
        f"if ({p.condition()}) {short} else {{ {fetch} }}",
        f"if ({p.condition()}) for (; {i} < {p.digit()}; {i}++) {{ {fetch} }}",
        f"{{\n{inner}for (; {i} < {p.digit()}; {i}++) {{ {fetch} }}\n{inner}{short}\n}}",
        f"for (; {i} < {p.digit(4)}; {i}++)\n{inner}for (int k = 0; k < {p.digit(4)}; k++) {{ {fetch} }}",
        f"{{ {label}: {{ {fetch} }} if ({i}++ < {p.digit(4)}) goto {label}; }}",
        f"(void)({p.condition()} && ({fetches.long_one(p)} & 1) && (sums[{p.digit()}] += {p.digit()}));"])
    return f"int {i} = 0; (void){i};\n#pragma shmem defer\n{statement}\n{p.pick('', 'shmem_ctx_quiet(ctx);')} {p.assigned()} ^= {i};"
