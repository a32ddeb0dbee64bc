# SPDX-License-Identifier: BSD-3-Clause
"""Random SPMD functions with loops of blocking accesses, which have one result whatever the library makes of the standard's freedom.

In each phase an array is for one use: all read it, on any PE; or each PE writes it on one other, whom nobody else writes to, each
place once between two quiets, perhaps with what it has read there before; or all update it anywhere, by operations of which the order does not matter; or each PE uses its own copy.
Between phases is a barrier. In programs that are `ordered` a place may
be written again and read back at once: Windrow keeps that order where operations are not late, and so must the compiler.
"""
import random

TYPES = {"s0": "long", "s1": "long", "s2": "long", "s3": "int", "s4": "int", "s5": "short", "s6": "uchar", "s7": "double"}
RECORDS = ["r0", "r1"]
COUNTERS = {"long": ("long", "int64"), "int": ("int", "int32")}  # the names of their atomic operations, arithmetic and bitwise
MEMBERS = {"a": "int", "b": "float", "c": "double"}
C_TYPES = {"uchar": "unsigned char"}
LENGTHS = [0, 1, 2, 3, 4, 5, 7, 16, 33, 40, 100, 100, 200, 300, 2047, 2048, 2049, 2500]


class program:
    def __init__(self, seed, ordered):
        self.random, self.seed, self.ordered = random.Random(seed), seed, ordered
        self.number = 0
        self.inner = None  # the counter of a loop inside the loop
        self.lines = []
        for _ in range(self.random.randint(1, 3)):
            self.phase()
        body = "\n".join("  " + line for line in self.lines)
        self.text = f"u64 VARIANT({seed})(int me, int pes) {{\n  u64 all = 1; (void)me, (void)pes;\n{body}\n  return all;\n}}\n"

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def fresh(self, letter):
        self.number += 1
        return f"{letter}{self.number}"

    def add(self, line):
        self.lines.append(line)

    # ---- phases and loops

    def phase(self):
        names = list(TYPES) + RECORDS
        self.random.shuffle(names)
        cut = self.random.randint(3, 6)
        self.read, self.written, self.own = names[:cut], names[cut:cut + 3], names[cut + 3:]
        self.updated = {}  # by which operations
        for name in [name for name in self.own if TYPES.get(name) in COUNTERS and self.chance(.6)]:
            self.own.remove(name)
            self.updated[name] = self.pick("add", "add", "and", "or", "xor")
        self.busy = set()  # written since the last quiet
        self.add(f"const int to{self.number} = (me + {self.random.randint(0, 3)}) % pes; (void)to{self.number};")
        self.to = f"to{self.number}"
        self.number += 1
        for _ in range(self.random.randint(1, 3)):
            self.pick(self.loop, self.loop, self.bulk)()
        self.add("shmem_ctx_quiet(other_context);")
        self.add("shmem_barrier_all();")

    def loop(self):
        if self.busy and self.chance(.6):
            self.add(self.pick("shmem_quiet();", "shmem_fence(); shmem_quiet();"))
            self.busy.clear()
        length = self.pick(*LENGTHS)
        n, i, pe = self.fresh("n"), self.fresh("i"), self.fresh("pe")
        hidden = f"{length} + hidden" if self.chance(.8) else str(length)
        self.add(f"{{ const long {n} = {hidden}; const int {pe} = (me + {self.random.randint(0, 3)}) % pes; (void){pe};")
        self.n, self.pe, self.length, self.rows = n, pe, length, ""
        rows = length <= 300 and self.chance(.25)
        if rows:
            row = self.fresh("row")
            self.add(f"for (int {row} = 0; {row} < {self.random.randint(1, 3)}; {row}++) {{")
            self.rows = f"{row} * {n} + "
        head, tail = self.head(i, n, length)
        self.i = i
        self.add(head)
        self.names, self.said = ["all"], []
        for _ in range(self.pick(1, 1, 2, 3)):
            self.add("  " + self.statement())
        self.add(tail + ("}" if rows else "") + " }")

    def head(self, i, n, length):
        counter = self.pick("long", "long", "int", "unsigned", "unsigned long")
        signed = counter in ("long", "int")
        forms = [(f"for ({counter} {i} = 0; {i} < ({counter}){n}; {i}++) {{", "}"),
                 (f"for ({counter} {i} = 0; {i} != ({counter}){n}; ++{i}) {{", "}"),
                 (f"for ({counter} {i} = ({counter}){n}; {i}-- > 0;) {{", "}"),
                 (f"for ({counter} {i} = 0; {i} < ({counter}){n}; {i} += {self.random.randint(2, 3)}) {{", "}")]
        if signed:
            forms.append((f"for ({counter} {i} = ({counter}){n} - 1; {i} >= 0; {i}--) {{", "}"))
        if length > 0:
            forms.append((f"{{ {counter} {i} = 0; do {{", f"}} while (++{i} < ({counter}){n}); }}"))
        return self.random.choice(forms)

    # ---- places

    def index(self, scattered=True):
        """Another one in each round."""
        if self.inner and self.chance(.7):
            return self.pick(f"places[{self.i} + {self.inner}]", f"(int)((W({self.i}) * 13u + W({self.inner})) % 997u)", f"{self.inner}",
                             f"places[{self.inner} * 3] / 2", f"(int)(W(l1[places[{self.i}]] + {self.inner}) & 255)",
                             f"10 * (places[{self.i}] % 50) + {self.inner}")
        forms = [f"{self.i}", f"{self.i}", f"{self.i} + {self.random.randint(0, 9)}", f"{self.n} - 1 - (long){self.i}"]
        if not self.rows:
            forms += [f"2 * (long){self.i} + {self.random.randint(0, 1)}", f"3 * (long){self.i}"]
            if self.length <= 100:
                forms.append(f"{self.random.randint(20, 70)} * (long){self.i}")
        if scattered and self.chance(.2):
            return self.pick(f"places[{self.i}]", f"places[places[{self.i}]]", f"places[{self.i}] / 3 + 7", f"(int)(l0[{self.i}] & 511)",
                             f"(int)(W({self.i}) * 2654435761u % 997u)", f"(int)(W(l1[places[{self.i}]]) & 255)")
        return self.rows + f"({self.random.choice(forms)})"

    def place(self, array, index):
        """(address, type) of an element, or of a member."""
        if array in RECORDS:
            member = self.pick(*MEMBERS)
            return f"&{array}[{index}].{member}", MEMBERS[member]
        return f"&{array}[{index}]", TYPES[array]

    def long_reads(self):
        return [a for a in self.read if TYPES.get(a) == "long"]

    # ---- expressions and statements

    def get(self):
        if self.said and self.chance(.2):
            return self.random.choice(self.said)  # the same once more
        array = self.random.choice(self.read)
        pe = self.pick(f"(int)((me + {self.i}) % pes)", f"places[{self.i}] % pes") if self.chance(.15) else self.pe
        index = str(self.random.randint(0, 50)) if self.chance(.08) else self.index()
        if self.ordered and self.chance(.15):
            array, pe = self.random.choice(self.written), self.to
        address, kind = self.place(array, index)
        text = f"W(shmem_{kind}_g({address}, {pe}))"
        self.said.append(text)
        return text

    def value(self, depth=0):
        kind = self.random.random()
        if depth > 1 or kind < .3:
            return self.random.choice([*self.names, f"W({self.i})", "5u"])
        if kind < .6:
            return self.get()
        if kind < .75:
            return self.own_value()
        if kind < .8:
            return f"computed({self.value(depth + 1)})"
        if kind < .83:
            return self.hidden_get()
        return f"({self.value(depth + 1)} {self.pick(*'+-*^&')} {self.value(depth + 1)})"

    def hidden_get(self):
        """By a function that only reads; in ordered programs also of what this PE alone writes."""
        own = [array for array in self.written if TYPES.get(array) == "long"] if self.ordered else []
        if own and self.chance(.6):
            return f"read_there(&{self.random.choice(own)}[{self.index()}], {self.to})"
        longs = self.long_reads()
        return f"read_there(&{self.random.choice(longs)}[{self.index()}], {self.pe})" if longs else self.own_value()

    def own_value(self):
        if self.own and self.chance(.5):
            array = self.random.choice(self.own)
            address, _ = self.place(array, self.index())
            return f"W(*{address})"
        return f"W({self.pick('l0', 'l1')}[{self.index()}])"

    def nest(self):
        """A loop inside, of which no place is written twice."""
        k = self.fresh("k")
        head = self.pick(f"for (int {k} = 0; {k} < {self.random.randint(8, 12)}; {k}++)",
                         f"for (int {k} = 0; {k} < {self.random.randint(2, 7)}; {k}++)",
                         f"for (int {k} = places[{self.i}] & 15; {k} > 0; {k}--)",
                         f"for (long {k} = l0[{self.i}] & 7; {k} < (l1[{self.i}] & 15); {k}++)",
                         f"for (int {k} = places[{self.i}] % 30; {k} < places[{self.i} + 1] % 30; {k}++)",
                         f"for (unsigned {k} = 0; {k} < (unsigned)places[{self.random.randint(0, 9)}] % 20; {k} += 2)")
        self.inner, said = k, list(self.said)
        lines = [self.inner_statement() for _ in range(self.pick(1, 1, 2))]
        self.inner, self.said = None, said
        return f"{head} {{ {' '.join(lines)} }}"

    def inner_statement(self):
        kind = self.random.random()
        if kind < .55:
            return f"all = all * 3 + {self.value()};"
        if kind < .7:
            return self.own_store()
        if kind < .78 and self.updated:
            return self.update()
        if kind < .9:
            condition = self.pick(self.own_value(), f"W(places[{self.i} + {self.inner}])", self.value(1))
            return f"if ({condition} & {self.random.randint(1, 3)}) {{ all ^= {self.get()}; }}"
        return f"if ((W(places[{self.i} + {self.inner}]) & 63) == 5) {self.pick('break', 'continue')};"

    def statement(self, depth=0):
        if depth == 0 and self.chance(.15 if self.length <= 300 else .05):
            return self.nest()
        kind = self.random.random()
        if kind < .25:
            return f"all = all * 3 + {self.value()};"
        if kind < .4:
            name = self.fresh("v")
            line = f"const u64 {name} = {self.get()}; all ^= {name};"
            if depth == 0:
                self.names.append(name)
            return line
        if kind < .55:
            return self.own_store()
        if kind < .7:
            return self.put()
        if kind < .78:
            return self.update()
        if kind < .86:
            return self.several()
        if kind < .92 and depth == 0:
            return f"if ({self.value(1)} & {self.random.randint(1, 3)}) {{ {self.statement(1)} }}"
        if kind < .94:
            return f"if (({self.value(1)} & 63) == 5) {self.pick('break', 'continue')};"
        if kind < .95:
            return self.tries()
        if kind < .97:
            return self.random.choice(["all = noise(all);", "shmem_fence();", "shmem_quiet();", "(void)shmem_my_pe();"])
        if self.chance(.5):
            return f"for (int k = 0; k < (places[{self.i}] & 7); k++) {{ {self.update(' + k')} }}"
        return f"for (int k = 0; k < 3; k++) all += {self.value(1)} * W(k);"

    def tries(self):
        """Bounded polling, of what nobody changes: in a loop that LLVM unrolls, through a call or memory."""
        k, read = self.fresh("k"), self.get()
        rounds = self.random.randint(2, 6)
        return self.pick(f"for (int {k} = 0; {k} < {rounds}; {k}++) {{ if (computed({read}) & 1) {{ all += W({k}); break; }} }}",
                         f"{{ u64 last[4] = {{0}}; for (int {k} = 0; {k} < {rounds}; {k}++) {{ last[{k} & (1 + hidden)] = {read}; "
                         f"if ((last[0] + last[1]) & 2) break; }} all += last[0]; }}")

    def own_store(self):
        value = self.value()
        if self.own and self.chance(.5):
            address, kind = self.place(self.random.choice(self.own), self.index())
            return f"*{address} = ({C_TYPES.get(kind, kind)})({value} & 1023);"
        return f"{self.pick('l0', 'l1')}[{self.index()}] = (long)({value});"

    def put(self):
        """Once for each place, since puts have no order; a record may be filled by several."""
        free = [array for array in self.written if self.ordered or array not in self.busy]
        if not free:
            return f"all += {self.value()};"
        array = self.random.choice(free)
        self.busy.add(array)
        once = self.length <= 300 and not self.rows and self.chance(.3)
        index = f"places[{self.i}]" if once else self.index(scattered=self.ordered)
        if array in RECORDS and self.chance(.5):
            members = self.random.sample(list(MEMBERS), self.random.randint(2, 3))
            return " ".join(f"shmem_{MEMBERS[m]}_p(&{array}[{index}].{m}, ({MEMBERS[m]})({self.value(1)} & 1023), {self.to});" for m in members)
        address, kind = self.place(array, index)
        before = f"W(shmem_{kind}_g({address}, {self.to})) + " if self.chance(.25) else ""
        return f"shmem_{kind}_p({address}, ({C_TYPES.get(kind, kind)})(({before}{self.value()}) & 127), {self.to});"

    def update(self, more=""):
        """Of what all update; in ordered programs also of what this PE alone writes. With more, part of an inner loop."""
        arrays = list(self.updated)
        own = [array for array in self.written if TYPES.get(array) in COUNTERS] if self.ordered else []
        if not arrays and not own:
            return self.put() if self.ordered or not more else f"all += {self.value()};"
        if own and (not arrays or self.chance(.4)):
            array, operation, pe = self.random.choice(own), self.pick("add", "and", "or", "xor"), self.to
        else:
            array = self.random.choice(arrays)
            operation = self.updated[array]
            pe = self.pick(self.pe, f"(int)((me + {self.i}) % pes)", f"places[{self.i}] % pes", f"(int)(W({self.i}) * 7u % W(pes))")
        arithmetic, bitwise = COUNTERS[TYPES[array]]
        place = f"&{array}[{self.index()}{more}]"
        context = self.random.choice(["shmem_"] * 8 + ["shmem_ctx_"])
        first = "" if context == "shmem_" else self.pick("SHMEM_CTX_DEFAULT, ", "other_context, ") if array in self.updated else "SHMEM_CTX_DEFAULT, "
        if operation == "add" and self.chance(.4):
            return f"{context}{arithmetic}_atomic_inc({first}{place}, {pe});"
        name = arithmetic if operation == "add" else bitwise
        operation = self.pick("", "", "fetch_") + operation
        return f"{context}{name}_atomic_{operation}({first}{place}, ({name if name == arithmetic else name + '_t'})({self.value(1)}), {pe});"

    def several(self):
        """get and put of a few elements."""
        count = self.random.randint(1, 2)
        longs = self.long_reads()
        put = [a for a in self.written if TYPES.get(a) == "long" and (self.ordered or a not in self.busy)]
        index = f"{count} * ({self.i})" if not self.rows else self.index(False)
        if put and self.chance(.5) and not self.rows:
            array = self.random.choice(put)
            self.busy.add(array)
            return f"shmem_long_put(&{array}[{index}], &{self.pick('l0', 'l1')}[{index}], {count}, {self.to});"
        if longs:
            return f"shmem_long_get(&{self.pick('l0', 'l1')}[{self.index(False)}], &{self.random.choice(longs)}[{index}], {count}, {self.pe});"
        return f"all ^= {self.value()};"

    # ---- whole ranges

    def bulk(self):
        """Blocking gets and puts of ranges, one after the other, in a loop or in a graph of blocks, with uses of their memory of this PE
        between."""
        self.q, self.m = self.fresh("q"), self.fresh("m")
        self.memory = ["l0", "l1", "b0", f"t{self.q}", f"h{self.q}"] + [a for a in self.own if TYPES.get(a) == "long"]
        self.add(f"{{ const long {self.m} = {self.pick(1, 3, 8, 20, 64)} + hidden; long t{self.q}[700] = {{0}};")
        self.add(f"  long* h{self.q} = calloc(700, sizeof(long));")
        if self.chance(.3):
            self.memory.append(f"v{self.q}")
            self.add(f"  long v{self.q}[700 + {self.m}]; memset(v{self.q}, 3, sizeof v{self.q});")
        self.pick(self.row_of_ranges, self.row_of_ranges, self.graph_of_ranges)()
        self.add(f"  for (int k = 0; k < 700; k++) all = all * 3 + W({self.pick(f't{self.q}', f'h{self.q}')}[k]);")
        self.add(f"  free(h{self.q}); }}")

    def row_of_ranges(self):
        rounds = self.pick("pes", "pes", "(int)hidden + 4", "6")
        self.loops = self.chance(.7)
        self.step = self.q if self.loops else None
        self.add(f"  for (int {self.q} = 0; {self.q} < {rounds}; {self.q}++) {{" if self.loops else f"  {{ const int {self.q} = me & 3; (void){self.q};")
        for _ in range(self.random.randint(1, 4)):
            self.add("    " + self.of_range())
        self.add("  }")
        self.loops, self.step = False, None
        self.add(f"  const int {self.q} = (int)hidden + 2;")
        for _ in range(self.random.randint(0, 3)):
            self.add("  " + self.of_range())

    def graph_of_ranges(self):
        """Blocks that end with jumps to any others, so that no loop need have one entry. The counter ends the walk, and makes the places of
        puts others each time."""
        self.loops, self.step = False, self.fresh("step")
        name, blocks = f"block_{self.step}_", self.random.randint(3, 9)
        self.add(f"  int {self.q} = 0; long {self.step} = {self.pick(4, 10, 20)} + hidden;")
        for number in range(blocks):
            self.add(f"  {name}{number}: if ({self.step}-- <= 0) goto {name}end;")
            self.add(f"    {self.q} = (int)({self.step} % 6);")
            for _ in range(self.pick(0, 1, 1, 2, 3)):
                self.add("    " + (self.of_element() if self.chance(.4) else self.of_range()))
            self.add("    " + self.jump(name, blocks))
        self.add(f"  {name}end:;")

    def of_element(self):
        """Reads of few places, so that they are often read again, or beside each other."""
        longs = self.long_reads()
        if not longs:
            return f"all = all * 3 + W({self.q});"
        pe = self.pick("(me + 1) % pes", "(me + 1) % pes", f"{self.q} % pes")
        reads = [f"W(shmem_long_g(&{longs[0]}[{self.pick('7', '8', f'{self.q} + 7')}], {pe}))" for _ in range(self.pick(1, 2, 3))]
        return f"all = all * 3 + ({' ^ 5u * '.join(reads)});"

    def jump(self, name, blocks):
        def to():
            return f"goto {name}{self.random.randrange(blocks)};"
        array, place = self.here()
        longs = self.long_reads()
        read = f"W(shmem_long_g(&{longs[0]}[{self.q} + 7], (me + 1) % pes))" if longs and self.chance(.3) else f"W({array}[{place}])"
        condition = f"({self.pick('all', 'all', read)} & {self.random.randint(1, 3)})"
        return self.pick("", f"if {condition} {to()}", f"if {condition} {to()} else {to()}", to(),
                         f"switch ({condition}) {{ case 0: {to()} case 1: {to()} default: break; }}")

    def here(self):
        base = self.random.randint(0, 50)
        place = self.pick(f"{base} + {self.q} * {self.m}", f"{base} + {self.q} * {self.m}", f"{base} + {self.q} * {self.m} / 2", f"{base}",
                          f"({self.q} & 1) * {self.m}", f"{base} + (5 - {self.q}) * {self.m}")
        return self.random.choice(self.memory), place

    def of_range(self, depth=0):
        kind = self.random.random()
        array, place = self.here()
        q, m = self.q, self.m
        pe = self.pick(f"{q} % pes", f"(me + {q}) % pes", "(me + 1) % pes")
        there = self.pick(f"{q} * 3", "7", f"places[{q}]")
        longs = self.long_reads()
        if kind < .4:
            if longs and self.chance(.9):
                return f"shmem_long_get(&{array}[{place}], &{self.random.choice(longs)}[{there}], {m}, {pe});"
            return f"shmem_getmem(&{array}[{place}], &{self.random.choice(self.read)}[{there}], 8 * {m}, {pe});"
        if kind < .55:
            return self.put_range(array, place)
        if kind < .65:
            return f"all = all * 3 + W({array}[{place}]);"
        if kind < .72:
            return f"{array}[{place}] = (long)(all & 1023);"
        if kind < .8:
            other, at = self.here()
            return f"memcpy(&{array}[{place}], &{other}[{at}], {m} * sizeof(long));" if other != array else f"memset(&{array}[{place}], 1, {m} * sizeof(long));"
        if kind < .87:
            use = self.pick(f"all ^= W({array}[{place} + k]) * 5u;", f"{array}[{place} + k] += k;")
            return f"for (int k = 0; k < {m}; k++) {use}"
        if kind < .92 and depth == 0:
            return f"if ({self.pick('all', f'W(places[{q}])', f'W({array}[{place}])')} & {self.random.randint(1, 3)}) {{ {self.of_range(1)} }}"
        if kind < .94 and self.loops and depth == 0:
            return f"if ((W({array}[{place}]) & 7) == 5) {self.pick('break', 'continue')};"
        if kind < .96 and longs:
            return f"all ^= W(shmem_long_g(&{self.random.choice(longs)}[{there}], {pe}));"
        return self.pick("all = noise(all);", "shmem_fence();", "shmem_quiet();")

    def put_range(self, array, place):
        """Each place once until the next quiet; what is there before may be got."""
        free = [a for a in self.written if TYPES.get(a) == "long" and a not in self.busy]
        if not free:
            return f"all += W({array}[{place}]);"
        to = self.random.choice(free)
        self.busy.add(to)
        there = f"{self.random.randint(0, 9)} + {self.step} * {self.m}" if self.step else f"{self.random.randint(0, 99)}"
        before = ""
        if self.chance(.3):
            other, at = self.here()
            before = f"shmem_long_get(&{other}[{at}], &{to}[{there}], {self.m}, {self.to}); "
        return f"{before}shmem_long_put(&{to}[{there}], &{array}[{place}], {self.m}, {self.to});"


def is_ordered(seed):
    """All of a file are, or none."""
    return seed // 50 % 2 == 0


def function(seed):
    return program(seed, is_ordered(seed)).text


def batch(seeds):
    texts = "".join(f'#line 1 "seed{seed}.c"\n{function(seed)}' for seed in seeds)
    entries = "".join(f"{{{seed}, VARIANT({seed})}}, " for seed in seeds)
    return f'#include "harness.h"\n{texts}const struct program TABLE[] = {{{entries}{{-1, 0}}}};\n'
