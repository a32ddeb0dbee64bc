# SPDX-License-Identifier: BSD-3-Clause
"""C++: lambdas, references, exceptions, destructors and members."""
from . import fetches


def lambda_around(p):
    """A lambda with a directive, which captures by reference."""
    s, f, i = p.fresh("s"), p.fresh("f"), p.fresh("i")
    loop = f"for (int {i} = 0; {i} < {p.digit()}; {i}++) {s} {p.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[{i}], PE({i})));"
    capture = p.pick("[&]", f"[ctx, &{s}]")
    quiet = p.pick("", "", "shmem_ctx_quiet(ctx);")
    return (f"uint64_t {s} = {p.digit()}; const auto {f} = {capture} {{\n#pragma shmem defer\n{loop}\n{quiet}\n}}; {f}(); "
            f"{p.assigned()} ^= (int)({s} & 1023);")


def lambda_inside(p):
    f, t = p.fresh("f"), p.fresh("t")
    fetch = fetches.long_one(p)
    return p.random.choice([f"const auto {f} = [&](uint64_t x) {{ sums[x & 63] += x + U({p.assigned()}); }}; {f}({fetch});",
                            f"const auto {f} = [](uint64_t x) {{ return x * 3 + 1; }}; const uint64_t {t} = {fetch}; "
                            f"sums[{p.index(63)}] += {f}({t});",
                            f"const auto {f} = [&] {{ return {fetch}; }}; sums[{p.index(63)}] += {f}();",
                            f"uint64_t {t} = 0; [&] {{ {t} = {fetch}; }}(); sums[{p.index(63)}] ^= {t};"])


def reference_around(p):
    name, s = p.helper("g"), p.fresh("s")
    p.before.append(f"""static void {name}(shmem_ctx_t ctx, uint64_t& to, const int& n) {{
to = 1;
#pragma shmem defer
for (int i = 0; i < n; i++) to {p.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[i * {p.digit()}], PE(i)));
{p.pick('', '', 'shmem_ctx_quiet(ctx);')}
}}""")
    return (f"uint64_t {s}; {name}(ctx, {s}, {p.digit(6)}); {p.assigned()} ^= (int)({s} & 1023); "
            f"{name}(ctx, cells[{p.digit()}], 3); sums[4] += cells[{p.digit()}];")


def reference_inside(p):
    r, t = p.fresh("r"), p.fresh("t")
    return p.random.choice([f"uint64_t& {r} = sums[{p.index(63)}]; {r} += {fetches.long_one(p)}; {r} ^= {p.digit()};",
                            f"auto& {r} = {p.assigned()}; const uint64_t {t} = {fetches.long_one(p)}; {r} += (int)({t} & 15); "
                            f"sums[{p.digit()}] += U({r});",
                            f"const uint64_t& {r} = {fetches.long_one(p)}; {p.use(r)}"])


def exception(p):
    """Leaves the frame that deferred work writes."""
    name = p.helper("x")
    p.before.append(f"""static void {name}(shmem_ctx_t ctx, int stop) {{
uint64_t local[32]; uint64_t* const q = local;
#pragma shmem defer
for (int i = 0; i < 32; i++) {{
if (i == stop) throw stop;
q[i] = U(shmem_ctx_int64_g(ctx, &still_long[i], 1 % n_pes));
{p.pick('', 'sums[i] += q[i];')}
}}
for (int i = 0; i < 32; i++) sums[i] ^= q[i];
}}
[[gnu::noinline]] static uint64_t {name[:-1]}_after)(shmem_ctx_t ctx) {{
volatile uint64_t mine[96]; uint64_t s = 0;
for (int i = 0; i < 96; i++) mine[i] = U(i);
shmem_ctx_quiet(ctx);
for (int i = 0; i < 96; i++) s += mine[i];
return s;
}}""")
    return f"try {{ {name}(ctx, {p.digit()} * 4); }} catch (int at) {{ {p.assigned()} += at; }} sums[9] += {name[:-1]}_after)(ctx);"


def thrown_behind(p):
    """An exception leaves the function behind the region; memory of its caller is complete where it is caught."""
    name, check, cell = p.helper("x"), p.helper("k"), p.digit()
    p.before.append(f"""[[gnu::noinline]] static void {check}(int at) {{ if (at & {p.digit(7)}) throw at; }}
static void {name}(shmem_ctx_t ctx, uint64_t* to, int at) {{
#pragma shmem defer
for (int i = 0; i < {p.digit(8)}; i++) to[i] {p.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &still_long[i], PE(i)));
{check}(at);
shmem_ctx_quiet(ctx);
}}""")
    return f"try {{ {name}(ctx, cells, {p.digit()}); }} catch (int at) {{ {p.assigned()} += at; }} sums[{p.index(63)}] += cells[{cell}];"


def call_that_throws(p):
    """A call throws out of the region; what it threw is caught around it."""
    name, i, t = p.helper("x"), p.fresh("i"), p.fresh("t")
    p.before.append(f"static uint64_t {name}(uint64_t x, int at) {{ if ((x & 7) == {p.digit(7)}) throw at; return x * 2; }}")
    dependent = p.chance(.5)
    body = f"const uint64_t {t} = {fetches.long_one(p)}; sums[{i}] += {name}({t if dependent else f'U({i} + 3)'}, {i}) + {t}; {p.update()}"
    return f"try {{\n{p.region(f'for (int {i} = 0; {i} < 8; {i}++) {{ {body} }}')}\n}} catch (int at) {{ {p.assigned()} ^= at; }}"


def destructor(p):
    """An object of the region's block does something when it ends."""
    name = f"guard{p.fresh('')}_{p.seed}"
    p.before.append(f"namespace {{ struct {name} {{ uint64_t* to; ~{name}() {{ *to = *to * 3 + {p.digit()}; }} }}; }}")
    cell = f"cells[{p.digit()}]"
    return f"{{ const {name} g{{&{cell}}}; (void)g; const uint64_t v = {fetches.long_one(p)}; {cell} += v; {p.use('v')} }}"


def member(p):
    name = f"table{p.fresh('')}_{p.seed}"
    p.before.append(f"""namespace {{ class {name} {{
uint64_t sum_ = 0, rounds_ = 0;
public:
void add(shmem_ctx_t ctx, int n) {{
#pragma shmem defer
for (int i = 0; i < n; i++) {{ sum_ = sum_ * 3 + U(shmem_ctx_int64_g(ctx, &still_long[i * {p.digit()}], PE(i))); rounds_++; }}
{p.pick('', '', 'shmem_ctx_quiet(ctx);')}
}}
uint64_t value() const {{ return sum_ ^ rounds_; }}
}}; }}""")
    return f"{name} c; c.add(ctx, {p.digit(6)}); {p.assigned()} += (int)(c.value() & 255); c.add(ctx, 2); sums[{p.digit()}] += c.value();"


def kept_context(p):
    """An object keeps the context; its constructor, its destructor, and members that others override have statements."""
    name, other = f"user{p.fresh('')}_{p.seed}", f"user{p.fresh('')}_{p.seed}"
    quiet = p.pick("", "", "shmem_ctx_quiet({});")

    def statement(to):
        fetch = f"U(shmem_ctx_int64_g({p.pick('this->ctx', 'ctx')}, &still_long[(i * {p.digit()} + int(n & 15)) & 63], PE(i)))"
        return (f"\n#pragma shmem defer\nfor (int i = 0; i < {p.digit(6)}; i++) {to} {p.pick('', '+', '^')}= {fetch};\n{quiet.format('ctx')}\n")

    virtual = p.pick("", "virtual ")
    derived = p.pick("other", "plain")
    p.before.append(f"""namespace {{ struct {name} {{
shmem_ctx_t ctx; uint64_t n, sum = {p.digit()};
{p.pick('', 'explicit ')}{name}(shmem_ctx_t with, uint64_t size) : ctx(with), n(size) {{ {statement('sum') if p.chance(.7) else ''} }}
{virtual}~{name}() {{ {statement(p.pick('sums[3]', 'sum')) if p.chance(.5) else ''} sums[2] = sums[2] * 3 + sum; }}
{virtual}uint64_t add() {{ {statement(p.pick('sum', 'this->sum'))} return sum; }}
template <class T> T operator()(T x) const {{ T s = x; {statement('s')} return T(s * 3); }}
static uint64_t of({name} one) {{ return one.add() + one(uint64_t(4)); }}
}};
struct {other} : {name} {{
using {name}::{name};
uint64_t add() {'override ' if virtual else ''}{{ {statement('n')} return {name}::add() + n; }}
}}; }}""")
    kind, c = other if derived == "other" else name, p.fresh("c")
    use = p.random.choice([f"{kind} {c}(ctx, {p.value(1)}); sums[{p.digit()}] += {c}.add() + {c}(uint64_t({p.digit()}));",
                           f"const {kind} {c}(ctx, {p.value(1)}); sums[{p.digit()}] += {c}({p.value(1)}) + {name}::of({c});",
                           f"{kind}* const {c} = new {kind}(ctx, {p.value(1)}); sums[{p.digit()}] += (static_cast<{name}*>({c}))->add(); delete {c};",
                           f"sums[{p.digit()}] += {kind}(ctx, {p.value(1)}).add();"])
    return use


def range_around(p):
    """The loop is one over a range: an array, or an object with iterators."""
    name, x, t = f"numbers{p.fresh('')}_{p.seed}", p.fresh("x"), p.fresh("t")
    p.before.append(f"""namespace {{ struct {name} {{
int first, last;
struct iterator {{ int at; int operator*() const {{ return at; }} iterator& operator++() {{ at += {p.digit(3)}; return *this; }}
bool operator!=(const iterator& other) const {{ return at < other.at; }} }};
iterator begin() const {{ return {{first}}; }}
iterator end() const {{ return {{last}}; }}
}}; }}""")
    range_ = p.pick(f"{name}{{{p.digit(3)}, {p.digit()}}}", "cells", f"{{{p.digit()}, {p.digit()}, {p.digit()}}}")
    kind = p.pick("auto", "const auto", "auto&&") if range_ != "cells" else p.pick("auto", "const auto&", "auto&")
    fetch = f"const uint64_t {t} = U(shmem_ctx_int64_g(ctx, &still_long[U({x}) & 63], {p.pe()}));"
    change = f"{x} += {t};" if kind == "auto&" else ""
    return f"\n{p.region(f'for ({kind} {x} : {range_}) {{ {fetch} {change or p.use(t)} }}')}\n{p.pick('', 'shmem_ctx_quiet(ctx);')} sums[{p.digit()}] += cells[{p.digit()}];"


def initialised_once(p):
    """A static variable of a function is initialised where control first comes to it, by a function with a statement, or is of a class."""
    name, kept = p.helper("i"), f"once{p.fresh('')}_{p.seed}"
    p.before.append(f"""static uint64_t {name}(shmem_ctx_t ctx, uint64_t x) {{
uint64_t s = x;
#pragma shmem defer
for (int i = 0; i < {p.digit(6)}; i++) s = s * 3 + U(shmem_ctx_int64_g(ctx, &still_long[(U(i) + x) & 63], PE(i)));
{p.pick('', '', 'shmem_ctx_quiet(ctx);')}
return s;
}}
namespace {{ struct {kept} {{ uint64_t value; explicit {kept}(shmem_ctx_t ctx) : value({name}(ctx, {p.digit()})) {{}} ~{kept}() {{ value = 0; }} }}; }}""")
    t = p.fresh("t")
    once = p.random.choice([f"static const uint64_t {t} = {name}(ctx, {p.digit()});", f"static const uint64_t& {t} = {name}(ctx, {p.digit()});",
                            f"static const {kept} kept_{t}(ctx); const uint64_t {t} = kept_{t}.value;",
                            f"thread_local const uint64_t {t} = {name}(ctx, {p.digit()});"])
    body = f"{once} sums[{p.digit()}] += {t}; {p.plain_fetch()}"
    return p.pick(f"{once} sums[{p.digit()}] += {t};", f"\n#pragma shmem defer\nfor (int k = 0; k < {p.digit(4)}; k++) {{ {body} }}\n")
