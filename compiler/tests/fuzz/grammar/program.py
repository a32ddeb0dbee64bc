# SPDX-License-Identifier: BSD-3-Clause
"""The text of one random program: a function, its helpers, and those in another file.

A program uses a few features, so that what is wrong with one shows without the others. Arithmetic is unsigned, and
conversions are defined: nothing depends on -fwrapv.
"""
import random

from . import calls, control, copies, cxx, ends, fetches, frames, memory, parts, rounds, sharing, storage

# Each is a function that takes a program and gives a statement inside a region, ...
INSIDE = {"types": fetches.of_types, "gets": fetches.gets, "positions": fetches.in_expressions, "effects": fetches.with_effects,
          "wrappers": calls.wrapper, "helpers": calls.helper_inside, "attributes": calls.attributes, "pointers": calls.function_pointer,
          "statics": storage.inside, "fields": storage.fields, "blocks": storage.block_objects, "own writes": memory.then_own_store,
          "puts": memory.then_put, "copies": memory.then_copy, "contexts": memory.then_other_context, "updates": memory.then_update,
          "serials": memory.serials, "output": sharing.output, "errno": sharing.errors, "reals": fetches.in_reals,
          "locks": sharing.lock_inside, "phases": memory.phases, "exits": control.exits, "expressions that leave": control.leaves_expression,
          "levels": fetches.chain, "beside": fetches.beside, "alone": fetches.alone, "owners": fetches.at_owner, "ranges": fetches.consecutive,
          "dead ends inside": ends.dead_ends_inside}
# ... or statements with a region of their own.
AROUND = {"functions": calls.helper_around, "not completed": calls.not_completed, "recursion": calls.recursion,
          "static results": storage.static_result,
          "ends of blocks": storage.ending_block, "freed": storage.freed, "seen effects": memory.seen_effects, "flags": sharing.flags, "told in rounds": sharing.told_in_rounds,
          "locked": sharing.locked, "jumps": control.long_jump, "returns": control.early_return, "full queues": control.many_rounds,
          "sums": memory.read_behind, "turns": fetches.turns, "reached by copies": copies.reached_by_copies, "changed places": copies.changed_places, "parts of variables": parts.parts_of_variables,
          "recurrences": rounds.recurrence,
          "changed later": rounds.changed_later, "come to again": rounds.come_to_again, "counted": rounds.counted, "chosen": storage.chosen, "arenas": storage.arena,
          "kept by the library": storage.kept,
          "dead ends": ends.dead_ends_around, "ended": ends.ended, "computed gotos": control.computed_goto, "no rounds": control.no_rounds,
          "large arrays": frames.large_arrays, "deep recursion": frames.deep_recursion, "structures": frames.structures,
          "variadic": frames.variadic, "many arguments": frames.many_arguments, "nested calls": frames.nested_calls,
          "tail calls": frames.tail_calls, "statements": control.statement_kinds}
CXX_INSIDE = {"lambdas inside": cxx.lambda_inside, "references inside": cxx.reference_inside, "destructors": cxx.destructor}
CXX_AROUND = {"lambdas": cxx.lambda_around, "references": cxx.reference_around, "exceptions": cxx.exception,
              "calls that throw": cxx.call_that_throws, "thrown behind": cxx.thrown_behind, "members": cxx.member,
              "kept contexts": cxx.kept_context, "ranges around": cxx.range_around, "initialised once": cxx.initialised_once}


class program:
    """`text` is the function `int64_t VARIANT(seed)(…)` with what it calls, `other` what is in another file."""

    def __init__(self, seed, is_cxx):
        self.seed, self.is_cxx = seed, is_cxx
        self.random = random.Random(seed)
        self.number = 0
        self.names = ["v0", "v1", "v2", "v3", "v4"]  # variables that may be assigned
        self.loops, self.late = [], []               # counters; variables with fetched values
        self.before, self.after, self.other, self.entry, self.last = [], [], [], [], []
        self.depth = self.tickets = 0
        self.choose_features()
        self.body = self.whole()

    # ---- chances and names

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def digit(self, most=9):
        return str(self.random.randint(1, most))

    def fresh(self, letter):
        self.number += 1
        return f"{letter}{self.number}"

    def helper(self, letter):
        """A name that no other function of the file has."""
        return f"NAME({self.fresh(letter)}_{self.seed})"

    # ---- expressions, of type uint64_t

    def variable(self):
        late = [name for name in self.late if name in self.names]
        if late and self.chance(.6):
            return late[-1]
        return self.random.choice(self.names + self.loops)

    def value(self, depth=0):
        kind = self.random.random()
        if depth > 1 or kind < .5:
            return f"U({self.variable()})"
        if kind < .62:
            return f"{self.digit()}u"
        if kind < .68:
            return f"blend({self.value(depth + 1)}, {self.value(depth + 1)})"
        if kind < .73:
            return f"({self.condition()} ? {self.value(depth + 1)} : {self.value(depth + 1)})"
        if kind < .76:
            return f"{'sums' if self.chance(.2) else 'rest'}[{self.index(63)}]" if self.chance(.3) else "U(n_pes)"
        return f"({self.value(depth + 1)} {self.pick(*'+-*^&')} {self.value(depth + 1)})"

    def index(self, mask):
        return f"{self.value(1)} & {mask}"

    def ticket(self, index):
        """A place that fetches may change: which of two levels of deferred code comes first to one place is not said."""
        self.tickets = (self.tickets + 1) % 8
        return f"&tickets[{8 * self.tickets} + ({index})]"

    def condition(self):
        left = f"({self.value(2)} & 15)"
        kind = self.random.random()
        if kind < .12:
            return f"({left} > {self.digit(12)} && ({self.value(2)} & 1))"
        return f"({left} > {self.digit(12)})" if kind < .6 else f"({self.value(2)} & 1)"

    def pe(self):
        return f"PE({self.value(1)})"

    # ---- statements

    def declare(self, kind, value):
        name = self.fresh("t")
        self.names.append(name)
        return f"{kind} {name} = ({kind})({value});"

    def use(self, name):
        """Something that depends on a value."""
        kind = self.random.random()
        array = self.pick("sums", "totals", "tallies", "scores")
        if kind < .35:
            return f"{array}[{self.index(63)}] {self.pick('+', '^')}= {name} * {self.digit()}u;"
        if kind < .5:
            return f"{array}[U({name}) & 63] += {self.value(1)};"
        if kind < .56:
            return f"{self.assigned()} {self.pick(*'+^-')}= (int)(U({name}) & 255);"
        if kind < .68:
            return f"cells[{self.index(15)}] = cells[{self.digit()}] * 3 + U({name});"
        if kind < .9:
            return f"shmem_ctx_int64_atomic_add(ctx, &posted[{name} & 63], {name} & 7, {self.pe()});"
        return f"if (U({name}) & {self.digit(3)}) {{ {self.update()} }}"

    def assigned(self):
        return self.random.choice(self.names[:5])

    def update(self):
        """Mostly of what nothing else is done to: code that meets deferred code keeps it from being deferred."""
        return f"{'sums' if self.chance(.2) else 'rest'}[{self.index(63)}] {self.pick('+', '^')}= {self.value()};"

    def plain_fetch(self):
        """The usual statement: most fetches of a program are such."""
        name = self.fresh("t")
        text = f"const int64_t {name} = shmem_ctx_int64_{self.pick('g', 'g', 'atomic_fetch')}(ctx, &still_long[{self.index(63)}], {self.pe()});"
        return text + " " + self.use(f"U({name})")

    def block(self, statements):
        visible = list(self.names)
        lines = [self.statement() for _ in range(statements)]
        self.names = visible
        return "{\n" + "\n".join(lines) + "\n}"

    def loop(self, body=None, rounds=None):
        counter = self.fresh("i")
        self.loops.append(counter)
        body = body() if body else self.block(self.random.randint(1, 4))
        self.loops.remove(counter)
        kind = self.pick("int64_t", "int64_t", "int", "unsigned", "unsigned char", "size_t")
        bound = rounds or self.pick("2", "3", "5", f"({kind})({self.value(1)} & 3)")
        form = self.random.random()
        if form < .85:
            return f"for ({kind} {counter} = 0; {counter} < {bound}; {counter}++) {body}"
        if form < .9:
            return f"{{ {kind} {counter} = 0; do {{ {counter}++; {body[1:-1]} }} while ({counter} < {bound}); }}"
        return f"{{ {kind} {counter} = 0; while ({counter} < {bound}) {{ {counter}++; {body[1:-1]} }} }}"

    def statement(self):
        self.depth += 1
        try:
            kind = self.random.random()
            if kind < .22 and self.inside:
                return "{ " + self.random.choice(self.inside)(self) + " }"
            if kind < .62:
                return "{ " + self.plain_fetch() + " }"
            if self.depth < 4:
                if kind < .70:
                    return self.loop()
                if kind < .76:
                    return f"if {self.condition()} {self.block(1)}" + (f" else {self.block(1)}" if self.chance(.4) else "")
            if kind < .86:
                return self.update()
            if kind < .9:
                return self.declare(self.pick("int64_t", "int", "unsigned char", "uint32_t"), self.value())
            return f"{self.assigned()} {self.pick('', '+', '^')}= (int)({self.value()} & 1023);"
        finally:
            self.depth -= 1

    # ---- the whole

    def region(self, statement=None):
        kind = self.random.random()
        if not statement:
            statement = self.loop() if kind < .85 else self.block(3) if kind < .95 else f"if {self.condition()} {self.loop()}"
        return "#pragma shmem defer\n" + statement

    def choose_features(self):
        inside, around = dict(INSIDE), dict(AROUND)
        if self.is_cxx:
            inside.update(CXX_INSIDE)
            around.update(CXX_AROUND)
            if self.chance(.5):
                inside, around = dict(CXX_INSIDE), dict(CXX_AROUND)
        names = self.random.sample([*inside, *around], self.pick(1, 1, 2, 2, 3))
        self.features = sorted(names)
        self.inside = [inside[name] for name in self.features if name in inside]
        self.around = [around[name] for name in self.features if name in around]

    def piece(self):
        if self.around and (not self.inside or self.chance(.6)):
            return "{ " + self.random.choice(self.around)(self) + " }"
        return self.region()

    def whole(self):
        pieces = []
        for _ in range(self.random.randint(1, 3)):
            if self.chance(.4):
                pieces.append(f"{self.assigned()} = (int)({self.value()} & 1023);")
            pieces.append(self.piece())
            if self.chance(.5):
                pieces.append("shmem_ctx_quiet(ctx);")
            if self.chance(.2):
                pieces.append(self.update())
        if self.chance(.2):
            pieces = ["for (int o = 0; o < 2; o++) {", *pieces, "}"]
        if self.chance(.5):
            pieces.append("shmem_ctx_quiet(ctx);")
        return "\n".join(pieces)

    def declarations(self):
        """Of functions that stand behind, and in another file."""
        declared = "\n".join(text.split("{", 1)[0].rstrip() + ";" for text in self.after)
        foreign = "\n".join("extern " + text.split("{", 1)[0].rstrip() + ";" for text in self.other if not text.startswith("static"))
        return f"{declared}\n{foreign}"

    def result(self):
        return f"U(v0) * 3 + U(v1) * 5 + U(v2) * 7 + U(v3) * 11 + U(v4) * 13{''.join(f' + ({value})' for value in self.last)}"

    @property
    def text(self):
        parts = "\n".join(self.before)
        later = "\n".join(self.after)
        return f"""/* {self.seed}: {', '.join(self.features)} */
{self.declarations()}
{parts}
int64_t VARIANT({self.seed})(shmem_ctx_t ctx, int64_t *sym, int64_t *counts, int64_t v0, int64_t v1) {{
int64_t v2 = 1, v3 = 2; int v4 = 3;
(void)sym; (void)counts;
{' '.join(self.entry)}
{self.body}
return (int64_t)({self.result()});
}}
{later}
"""
