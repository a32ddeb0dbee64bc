# SPDX-License-Identifier: BSD-3-Clause
"""Whole programs: main has the statements, and initialises and finalises the library itself. PE 0 acts, the others serve it."""
from . import control
from .program import program


class whole_program(program):
    """`text` is the program, but for what is in `other`. Of several in one file one is main; the others are called in place of it."""
    is_main = False

    def whole(self):
        self.kept, self.left = f"kept_{self.seed}", f"left_{self.seed}"
        body = super().whole() if self.chance(.8) else self.loads_only()
        self.begin_and_end()
        return body

    def loads_only(self):
        """Which version runs is chosen by how much memory there is, before there is any."""
        a, i, (rounds, size) = self.fresh("a"), self.fresh("i"), self.pick((5, 8), (64, 64), (300, 300), (300, 50000))
        fetch = f"shmem_ctx_int64_g(ctx, &still_long[{i} * {self.digit()} & 63], {i} % n_pes)"
        loop = f"for (int {i} = 0; {i} < {rounds}; {i}++) {a}[{i}] {self.pick('', '', '+')}= {fetch};"
        sum_ = f"for (int {i} = 0; {i} < {rounds}; {i}++) v3 = (int64_t)(U(v3) * 31 + U({a}[{i}]));"
        return f"int64_t {a}[{size}] = {{0}};\n{self.region(loop)}\n{self.pick('', 'shmem_ctx_quiet(ctx);')}\n{sum_}"

    # ---- where there is no library yet, or no longer

    def idle(self):
        """A statement of no rounds, in place or in a function."""
        if self.chance(.4):
            i = self.fresh("i")
            fetch = f"U(shmem_ctx_int64_g({self.kept}, &still_long[{i}], {self.pick('0', f'{i} % 4')}))"
            work = self.pick(f"{self.left} += {fetch};", f"sums[{i}] += {fetch};", f"if ({i} & 1) {self.left} = {fetch};")
            return f"\n#pragma shmem defer\nfor (int {i} = 0; {i} < no_rounds; {i}++) {{ {work} }}\nif ({self.left} != 5) _Exit(90);"
        name = self.helper("idle")
        self.before.append(control.idle_function(self, name))
        return f"if ({name}({self.kept}, {self.pick('0', 'still_long')}, no_rounds) != 5) _Exit(91);"

    def outside_functions(self):
        """Of which some run before main, others behind it."""
        functions = []
        if self.chance(.3):
            functions.append(f"static __attribute__((constructor)) void early_{self.seed}(void) {{ {self.idle()} }}")
        if self.chance(.3):
            functions.append(f"static __attribute__((destructor)) void late_{self.seed}(void) {{ {self.idle()} }}")
        if self.is_cxx and self.chance(.5):
            functions.append(f"""namespace {{ struct user_{self.seed} {{
shmem_ctx_t ctx{{}}; const int64_t* at = nullptr; int n = no_rounds;
user_{self.seed}() {{ if (sum() != 5) _Exit(92); {self.idle()} }}
~user_{self.seed}() {{ n = no_rounds; if (sum() != 5) _Exit(93); {self.idle()} }}
uint64_t sum() const {{
uint64_t s = 5;
#pragma shmem defer
for (int i = 0; i < n; i++) s {self.pick('+', '^')}= U(shmem_ctx_int64_g(ctx, &at[i], 0));
return s;
}} }}; user_{self.seed} all_{self.seed}; }}""")
        if self.is_cxx and self.chance(.3):
            name = self.helper("idle")
            self.before.append(control.idle_function(self, name))
            functions.append(f"static const uint64_t initially_{self.seed} = {name}({self.kept}, 0, no_rounds);")
            self.final_check = f"if (initially_{self.seed} != 5) _Exit(94);"
        return functions

    def at_exit(self):
        """A function that the end of the program calls while there is a library."""
        i, rounds = self.fresh("i"), self.digit()
        fetch = f"U(shmem_ctx_int64_g({self.kept}, &still_long[{i} * {self.digit()} & 63], {i} % n_pes))"
        use = self.pick("s += v;", f"sums[{i}] ^= v;", "shmem_ctx_int64_atomic_add(" + self.kept + ", &posted[v & 7], 1, 0);")
        return f"""static void at_exit_{self.seed}(void) {{
uint64_t s = 1;
#pragma shmem defer
for (int {i} = 0; {i} < {rounds}; {i}++) {{ const uint64_t v = {fetch}; {use} }}
{self.pick('', f'shmem_ctx_quiet({self.kept});')}
sums[6] += s;
}}"""

    # ---- initialisation and end

    def begin_and_end(self):
        level = self.pick("SHMEM_THREAD_SINGLE", "SHMEM_THREAD_SINGLE", "SHMEM_THREAD_FUNNELED")
        self.begin = self.pick("shmem_init();", "shmem_init();", f"start_{self.seed}();", f"int provided; shmem_init_thread({level}, &provided);")
        self.start = ""
        if self.begin.startswith("start"):
            self.start = f"static {self.pick('', 'inline ', '__attribute__((noinline)) ')}void start_{self.seed}(void) {{ shmem_init(); }}"
        self.context = self.pick("shmem_ctx_create(CONTEXT, &ctx);", "if (shmem_ctx_create(CONTEXT, &ctx) != 0) return 9;",
                                 f"shmem_ctx_create(CONTEXT, &{self.kept}); ctx = {self.kept};")
        self.final_check, self.parameters = "", self.pick("void", "int argc, char** argv")
        self.outer = self.outside_functions()
        self.at_exit_text = self.at_exit() if self.chance(.4) else ""
        self.first = self.idle() if self.chance(.3) else ""
        self.final = self.idle() if self.chance(.3) else ""
        self.end = self.pick("return code;", "return code;", "exit(code);", "_Exit(code);", f"finish_{self.seed}(code);")
        self.finish = ""
        if self.end.startswith("finish"):
            self.finish = f"static {self.pick('', '__attribute__((noreturn)) ')}void finish_{self.seed}(int code) {{ exit(code); }}"
        self.turns = self.pick(0, 0, 0, 0, 0, self.digit(3))  # main never comes to its end, but ends the program in this turn of a loop
        self.abrupt = self.chance(.25)                        # what finalises is the end of the program
        value = self.result()
        self.abrupt_end = self.random.choice([f"exit((int)(({value}) & 63));", f"return (int)(({value}) & 63);",
                                              f"if (({value}) & 1) exit((int)(({value}) & 62)); return 3;",
                                              f"code = (int)(({value}) & 63); fflush(stdout); _Exit(code);"])

    @property
    def text(self):
        later = "\n".join(self.after)
        declared, parts = self.declarations(), "\n".join(self.before)
        acts = f"if (shmem_my_pe() == 0) {{\n{self.body}\n}}"
        ends = f"""if (shmem_my_pe() == 0) {{
code = (int)(({self.result()}) & 63);
show();
shmem_ctx_quiet(ctx);
show_behind_quiet();
}}
shmem_ctx_destroy(ctx);
shmem_barrier_all();
shmem_finalize();
{self.final}
{self.end}"""
        if self.abrupt:
            last = f"{self.kept} = ctx; atexit(at_exit_{self.seed});" if self.at_exit_text else ""
            ends = f"if (shmem_my_pe() != 0) return 0;\natexit(show); {last}\n{self.abrupt_end}"
        if self.turns:
            acts = f"for (int turn = 1;; turn++) {{\n{acts}\nif (turn == {self.turns}) {{\n{ends}\n}}\n}}"
        else:
            acts += "\n" + ends
        return f"""/* {self.seed}: {', '.join(self.features)} */
{declared}
static shmem_ctx_t {self.kept}; static uint64_t {self.left} = 5;
{parts}
{self.start}
{self.finish}
{self.at_exit_text if self.abrupt else ''}
{chr(10).join(self.outer)}
int {"main" if self.is_main else f"VARIANT({self.seed})"}({self.parameters if self.is_main else 'void'}) {{
{self.first} {self.final_check}
{self.begin}
shmem_ctx_t ctx; {self.context}
begin(CONTEXT);
int64_t v0 = 4, v1 = 9, v2 = 1, v3 = 2; int v4 = 3, code = 0;
{' '.join(self.entry)}
{acts}
}}
{later}
"""
