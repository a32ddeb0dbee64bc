# SPDX-License-Identifier: BSD-3-Clause
"""Random functions of int64_t variables, with `#pragma shmem defer`, as C text.

Local variables, arrays and structures are used in any way. Other memory is updated only, by updates that commute. What the
constructs of C do to it, and functions that call each other, are the subject of grammar.py.
"""
import random

FETCHES = ["g", "g", "g", "atomic_fetch", "atomic_fetch_add", "atomic_fetch_inc", "atomic_compare_swap"]


class function:
    """The text of `int64_t VARIANT(seed)(ctx, sym, counts, v0, v1)`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.scalars = [f"v{i}" for i in range(5)]
        self.loops = []   # counters, which must not be assigned
        self.fetched = []  # variables that were declared with a fetched value
        self.number = 0
        self.depth = 0
        self.all_in_region = True
        self.text = self.whole(seed)

    # ---- expressions

    def chance(self, probability):
        return self.random.random() < probability

    def variable(self):
        kind = self.random.random()
        if kind < .08:
            return f"a4[{self.masked(self.scalar(), 3)}]"
        if kind < .13:
            return f"a16[{self.masked(self.scalar(), 15)}]"
        if kind < .20:
            return self.random.choice(["s.a", "s.b", "s.c[1]"])
        return self.scalar()

    def scalar(self):
        late = [name for name in self.fetched if name in self.scalars]
        if late and self.chance(.75):
            return late[-1]
        return self.random.choice(self.scalars + self.loops)

    def expression(self, depth=0):
        kind = self.random.random()
        if depth > 2 or kind < .45:
            return self.variable()
        if kind < .58:
            return str(self.random.randint(0, 9))
        if kind < .62:
            return f"mix({self.expression(depth + 1)}, {self.expression(depth + 1)})"
        if kind < .6225:
            return f"noted({self.expression(depth + 1)})"
        if kind < .66:
            return f"({self.condition()} ? {self.expression(depth + 1)} : {self.expression(depth + 1)})"
        operator = self.random.choice(["+", "-", "*", "^", "&"])
        return f"({self.expression(depth + 1)} {operator} {self.expression(depth + 1)})"

    def condition(self):
        left = self.expression(2)
        kind = self.random.random()
        if kind < .2:
            return f"({left} > {self.random.randint(-5, 20)} && ({self.expression(2)} & 1))"
        if kind < .3:
            return f"({left} < 3 || {self.expression(2)} > 7)"
        return f"({left} > {self.random.randint(-5, 20)})" if kind < .7 else f"({left} & 1)"

    @staticmethod
    def masked(expression, mask):
        return f"((uint64_t)({expression}) & {mask})"

    def fetch(self):
        name = self.random.choice(FETCHES)
        pe = f"(int){self.masked(self.expression(1), 3)}"
        if name in ("g", "atomic_fetch"):  # of what nobody changes
            return f"shmem_ctx_int64_{name}(ctx, &sym[{self.masked(self.expression(1), 63)}], {pe})"
        # Of what nobody else knows: the value before must not depend on the order.
        value = {"atomic_fetch_add": "0, ", "atomic_fetch_inc": "", "atomic_compare_swap": "-7, 1, "}[name]
        if name == "atomic_fetch_inc":
            return f"(shmem_ctx_int64_{name}(ctx, &once[next++], 1) + {self.random.randint(0, 5)})"
        return f"shmem_ctx_int64_{name}(ctx, &moved[{self.masked(self.expression(1), 63)}], {value}{pe})"

    # ---- statements

    def assigned(self):
        kind = self.random.random()
        if kind < .1:
            return f"a4[{self.masked(self.scalar(), 3)}]"
        if kind < .15:
            return f"a16[{self.masked(self.scalar(), 15)}]"
        if kind < .22:
            return self.random.choice(["s.a", "s.b", "s.c[1]"])
        return self.random.choice(self.scalars)

    def fresh(self, letter):
        self.number += 1
        return f"{letter}{self.number}"

    def block(self, statements=None):
        visible = list(self.scalars)
        lines = [self.statement() for _ in range(statements or self.random.randint(2, 6))]
        if self.depth > 1 and self.loops and self.chance(.04):
            lines.append(f"if {self.condition()} {self.random.choice(['break', 'continue'])};")
        self.scalars = visible
        return "{\n" + "\n".join(lines) + "\n}"

    def loop(self):
        counter = self.fresh("i")
        bound = str(self.random.randint(2, 5))
        if self.chance(.25):
            bound = f"(int64_t){self.masked(self.expression(), 3)}"
        self.loops.append(counter)
        body = self.block()
        self.loops.remove(counter)
        kind = self.random.random()
        if kind < .75:
            return f"for (int64_t {counter} = 0; {counter} < {bound}; {counter}++) {body}"
        body = "{" + f"{counter}++;\n" + body[1:]
        if kind < .9:
            return f"{{ int64_t {counter} = 0; while ({counter} < {bound}) {body} }}"
        return f"{{ int64_t {counter} = 0; do {body} while ({counter} < {bound}); }}"

    def declaration(self, value):
        name = self.fresh("t")
        text = f"int64_t {name} = {value};"
        self.scalars.append(name)
        return text

    def get(self):
        name, place, pe = self.fresh("t"), self.masked(self.expression(1), 63), self.masked(self.expression(1), 3)
        self.scalars.append(name)
        self.fetched.append(name)
        return f"int64_t {name}; shmem_ctx_int64_get(ctx, &{name}, &sym[{place}], 1, (int){pe});"

    def update(self):
        return f"out[{self.masked(self.expression(), 63)}] += {self.expression()};"

    def switch(self):
        cases = "".join(f"case {value}: {self.statement_list()} {self.random.choice(['break;', ''])}\n"
                        for value in range(self.random.randint(1, 3)))
        return f"switch ({self.expression()} & 3) {{\n{cases}default: {self.statement_list()} break; }}"

    def statement_list(self):
        return self.block(self.random.randint(1, 2))

    def statement(self):
        self.depth += 1
        try:
            if self.depth < 5:
                nested = self.compound()
                if nested:
                    return nested
            return self.simple()
        finally:
            self.depth -= 1

    def compound(self):
        kind = self.random.random()
        if kind < .12:
            return f"if {self.condition()} {self.block(self.random.randint(1, 3))}"
        if kind < .18:
            return f"if {self.condition()} {self.block(2)} else {self.block(2)}"
        if kind < .29:
            return self.loop()
        if kind < .30:
            return self.switch()
        if kind < .36:
            return self.consecutive()
        return self.chain() if kind < .40 else None

    def simple(self):
        choose = self.random.choice
        if self.depth > 1 and self.chance(.6):
            return self.used_at_once()
        kind = self.random.random()
        if kind < .06:
            return self.declaration(self.expression())
        if kind < .19:
            text = self.declaration(self.fetch())
            self.fetched.append(self.scalars[-1])
            return text
        if kind < .24:
            return f"{self.assigned()} = {self.fetch()};"
        if kind < .26:
            return f"{self.assigned()} {choose('+-^')}= {self.fetch()};"
        if kind < .28 and self.all_in_region:  # elsewhere it does not wait
            return self.get()
        if kind < .34:
            return self.update()
        if kind < .48:
            return f"{self.assigned()} {choose('+-^')}= {self.expression()};"
        if kind < .60:
            return f"{self.assigned()} = {self.expression()};"
        return self.rarer()

    def used_at_once(self):
        """The usual statement, of what no other code changes."""
        name = self.fresh("t")
        place, pe = (self.masked(self.random.choice(self.loops or ["9"]), mask) for mask in (63, 3))
        return (f"{{ const int64_t {name} = shmem_ctx_int64_g(ctx, &sym[({place} * {self.random.randint(1, 9)}) & 63], (int){pe}); "
                f"shmem_ctx_int64_atomic_add(ctx, &counts[{name} & 63], {name} + {self.random.randint(1, 9)}, (int)({name} & 3)); }}")

    def rarer(self):
        kind = self.random.random()
        index = self.masked(self.expression(), 15)
        if kind < .15:
            return f"mem[{index}] = mem[{index}] + {self.expression()};"
        if kind < .30:
            return (f"shmem_ctx_int64_atomic_add(ctx, &counts[{self.masked(self.expression(), 63)}], "
                    f"{self.expression()}, (int){self.masked(self.expression(1), 3)});")
        if kind < .38:
            return f"bump(&out[{self.masked(self.expression(), 63)}], {self.expression()});"
        if kind < .39:
            return f"heard({self.expression()});"
        if kind < .46:
            return self.random.choice([self.update_where_fetched, self.update_on_condition,
                                       self.fetch_again_where_fetched])()
        if kind < .48:
            return "s = (struct triple){%s, %s, {1, %s}};" % (self.expression(), self.expression(), self.expression())
        if kind < .50:
            return f"bump(&{self.random.choice(self.scalars)}, {self.expression()});"
        return self.update() if kind < .80 else f"{self.random.choice(self.scalars)}++;"

    def chain(self, before=None):
        """Fetches that depend on fetched values: each is a level below."""
        name = self.fresh("n")
        place = f"{before} * 5 + {self.random.randint(0, 60)}" if before else self.expression(1)
        text = (f"const int64_t {name} = shmem_ctx_int64_{self.random.choice(['g', 'atomic_fetch'])}"
                f"(ctx, &sym[{self.masked(place, 63)}], (int){self.masked(before or self.expression(1), 3)});")
        deeper = self.random.choice(["{ %s }", "if (%s) { %%s }", "for (int64_t %s = 0; %s < (%s & 3); %s++) { %%s }"])
        if deeper.startswith("if"):
            deeper %= self.random.choice([f"{name} & 1", f"{name} > 4", f"({name} > 1 && {name} < 9)"])
        elif deeper.startswith("for"):
            counter = self.fresh("i")
            deeper %= (counter, counter, name, counter)
        last = before is not None and self.chance(.6)
        inside = self.use_of(name) if last else self.chain(name)
        return "{ " + text + (self.use_of(name) if self.chance(.3) else "") + deeper % inside + " }"

    def use_of(self, name):
        if self.chance(.12):
            return f"{self.random.choice(self.scalars)} += {name};"
        if self.chance(.4):
            return f"shmem_ctx_int64_atomic_add(ctx, &counts[{name} & 63], {name} + 1, (int)({name} & 3));"
        return f"out[{self.masked(name, 63)}] += {name} * {self.random.randint(1, 9)} + {self.variable()};"

    def fetch_with_pe(self, name, pe):
        fetch = self.random.choice(["g(ctx, &sym[{0}]", "atomic_fetch_add(ctx, &moved[{0}], 0", "atomic_fetch(ctx, &sym[{0}]"])
        fetch = fetch.format(self.masked(self.expression(1), 63))
        return (f"const int {pe} = (int){self.masked(self.expression(1), 3)}; "
                f"const int64_t {name} = shmem_ctx_int64_{fetch}, {pe});")

    def update_on_condition(self):
        """The same with conditions."""
        name, pe, kept = self.fresh("t"), self.fresh("pe"), self.fresh("u")
        value = self.random.choice(self.scalars)

        def add(what):
            return f"shmem_ctx_int64_atomic_add(ctx, &counts[({name} + {self.random.randint(0, 50)}) & 63], {what}, {pe});"

        condition = self.random.choice([f"{name} > {self.random.randint(0, 9)}", f"({name} & 1) && {value} > 2",
                                        f"{name} < {value} || {name} == 7", f"{value} > {self.random.randint(0, 9)}"])
        body = self.random.choice([
            f"if ({condition}) {{ {add(value)} }}",
            f"if ({condition}) {{ {add(name)} }} else {{ {add('3')} if ({name} > 4) {{ {add(value)} }} }}",
            f"int64_t {kept} = {value}; if ({condition}) {kept} = {name} * 3; {add(kept)}",
            f"{add(f'({condition}) ? {name} : {value}')}",
            f"switch ({name} & 3) {{ case 0: {add(value)} break; case 1: {add('1')} default: {add(name)} }}",
            f"for (int64_t {kept} = 0; {kept} < ({name} & 3); {kept}++) {{ {add(kept)} }}"])
        return f"{{ {self.fetch_with_pe(name, pe)} {body} }}"

    def fetch_again_where_fetched(self):
        """Further fetches on the same PE, on conditions: what goes to the owner as a whole; and nearly that."""
        name, pe, again = self.fresh("t"), self.fresh("pe"), self.fresh("t")
        value = self.random.choice(self.scalars)
        to = pe if self.chance(.85) else f"(int)({name} & 3)"
        fetch = self.random.choice(["g(ctx, &sym[{0}]", "atomic_fetch(ctx, &sym[{0}]", "atomic_fetch_add(ctx, &moved[{0}], 0",
                                    "atomic_compare_swap(ctx, &moved[{0}], -7, 1"])
        second = f"const int64_t {again} = shmem_ctx_int64_{fetch.format(f'({name} + {self.random.randint(0, 50)}) & 63')}, {to});"
        add = (f"shmem_ctx_int64_atomic_add(ctx, &counts[({again} + {self.random.randint(0, 50)}) & 63], "
               f"{self.random.choice([name, again, value])}, {to});")
        body = self.random.choice([f"{second} {add}", f"if ({name} & 1) {{ {second} {add} }}",
                                   f"if ({name} > 3) {{ {second} if ({again} < {value} || {again} & 1) {{ {add} }} }}",
                                   f"{value} += 1; if ({name} > {value}) {{ {second} {add} }}"])
        return f"{{ {self.fetch_with_pe(name, pe)} {body} }}"

    def consecutive(self):
        """A loop over elements one behind the other: what is vectorised, and nearly that."""
        counter, name, pe, end = self.fresh("i"), self.fresh("t"), self.fresh("pe"), self.fresh("e")
        first = self.random.choice(["0", "0", str(self.random.randint(1, 6)), self.masked(self.expression(1), 7)])
        index = self.random.choice([counter, f"{counter} + {self.random.randint(1, 9)}", f"{self.random.randint(0, 9)} + {counter}"])
        kind = self.random.choice(["int64_t", "int64_t", "int", "uint64_t", "unsigned"])
        pe_now = pe if self.chance(.85) else f"(int)({counter} & 3)"
        before = f"{self.random.choice(self.scalars)} += 1;" if self.chance(.15) else ""
        bound = f"{end}" if self.chance(.8) else self.masked(self.scalar(), 15)
        visible = list(self.scalars)
        if self.chance(.3):
            local = self.fresh("k")
            before += f"int64_t {local} = {self.expression(1)};"
            self.scalars.append(local)
        step = f"{counter}++" if self.chance(.9) else f"{counter} += 2"
        self.loops.append(counter)
        inside = [self.use_of(name)]
        self.scalars.append(name)
        if self.chance(.4):
            inside.append(f"{self.random.choice(visible[:5])} {self.random.choice('+-^')}= {name} * {self.variable()};")
        if self.chance(.3):
            inside.append(f"if ({name} > {self.random.randint(0, 9)}) {{ {self.update()} }}")
        if self.chance(.15):
            inside.append(self.chain(name))
        if self.chance(.05):
            inside.append(f"if ({name} == 3) continue;")
            inside.append(self.use_of(name))
        self.scalars = visible
        self.loops.remove(counter)
        return (f"{{ const int {pe} = (int){self.masked(self.expression(1), 3)}; const {kind} {end} = ({kind}){self.masked(self.expression(1), 31)};"
                f"for ({kind} {counter} = {first}; {counter} < ({kind})({bound}); {step}) {{ {before} "
                f"int64_t {name} = shmem_ctx_int64_{self.random.choice(['g', 'g', 'atomic_fetch'])}(ctx, &sym[{index}], {pe_now}); "
                f"{' '.join(inside)} }} }}")

    def update_where_fetched(self):
        """What can be fused at the owner."""
        name, value, pe = self.fresh("t"), self.expression(1), self.fresh("pe")
        extra = f"int64_t {self.fresh('u')} = {name} * 3 + {value};" if self.chance(.5) else ""
        added = f"u{self.number}" if extra else f"{name} - {value}"
        return (f"{{ {self.fetch_with_pe(name, pe)} {extra} "
                f"shmem_ctx_int64_atomic_add(ctx, &counts[({name} + {self.random.randint(0, 50)}) & 63], {added}, {pe}); }}")

    # ---- the function

    def region(self):
        self.depth = 1
        self.all_in_region = self.chance(.75)
        text = self.loop() if self.chance(.85) else self.block(4)
        self.depth = 0
        inner = text.find("\nfor ")
        if not self.all_in_region and inner >= 0:
            return text[:inner] + "\n#pragma shmem defer" + text[inner:]
        return "#pragma shmem defer\n" + text

    def whole(self, seed):
        body = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(.4):
                body.append(f"{self.assigned()} = {self.expression()};")
            body.append(self.region())
            if self.chance(.4):
                body.append("shmem_ctx_quiet(ctx);")
        if self.chance(.3):
            body = ["for (int64_t o = 0; o < 3; o++) {", *body, "}"]
        if self.chance(.5):
            body.append("shmem_ctx_quiet(ctx);")
        lines = "\n".join(body)
        return f"""int64_t VARIANT({seed})(shmem_ctx_t ctx, int64_t *sym, int64_t *counts, int64_t v0, int64_t v1) {{
int64_t v2 = 1, v3 = 2, v4 = 3, a4[4] = {{1, 2, 3, 4}}, a16[16] = {{5, 6}}, next = 0;
struct triple s = {{v0, v1, {{3, 4}}}};
int64_t *once = fresh_cells(counts);
(void)next; (void)once;
{lines}
return v0 * 3 + v1 * 5 + v2 * 7 + v3 * 11 + v4 * 13 + a4[1] + a4[3] * 3 + a16[2] + a16[9] + s.a + s.b * 5 + s.c[1];
}}
"""
