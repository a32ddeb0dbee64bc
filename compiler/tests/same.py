#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""same.py --clang CLANG --plugin FILE [--levels O0,O3] [--flags "..."] [--instrumented] [--orders ...] PROGRAM

The program prints the same with its directives ignored by gcc and with the plug-in, at each optimisation level, in each order of
completion and for some limits of the queue. If not, clang without the plug-in tells whether that is the program's own fault.
"""
import argparse
import fcntl
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = [f"-I{HERE.parents[1]}/include", f"-I{HERE}/reorder", "-DREORDER", "-fwrapv"]
RUNTIME = ["reorder.c", "ordering.c"]
LIMITS = {"fifo": ["1", "256"], "lifo": ["7", "100000"], "random": ["1", "7", "256", "100000"], "blocking": ["1"]}
DEFER = ["-fno-discard-value-names", "-Xclang", "-disable-lifetime-markers"]


def run(command, **variables):
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1",
                       UBSAN_OPTIONS="halt_on_error=1", **variables)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))} with {variables}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compilers(options):
    """(compiler of the program, linker) for the program's language."""
    if options.program.suffix != ".cpp":
        return "gcc", options.clang
    return "g++", options.clang.replace("clang", "clang++")


def compile_runtime(clang, flags, folder):
    objects = [f"{folder}/{source}.o" for source in RUNTIME]
    for source, compiled in zip(RUNTIME, objects):
        run([clang, "-O1", *flags, *INCLUDE, "-c", f"{HERE}/reorder/{source}", "-o", compiled])
    return objects


def shared_runtime(clang, flags, folder):
    """Whoever comes first makes it; the others wait for him."""
    folder = folder / ("runtime" + "".join(flags))
    folder.mkdir(parents=True, exist_ok=True)
    objects = [f"{folder}/{source}.o" for source in RUNTIME]
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not all(map(os.path.exists, objects)):
            with tempfile.TemporaryDirectory(dir=folder) as unfinished:
                for made, kept in zip(compile_runtime(clang, flags, unfinished), objects):
                    os.rename(made, kept)
    return objects


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--levels", default="O0,O1,O2,O3")
    parser.add_argument("--orders", default="fifo,lifo,random,blocking")
    parser.add_argument("--without", default="", help="leave out these rules of the pass (RULE,...)")
    parser.add_argument("--runtime", type=pathlib.Path, help="a folder where the reordering runtime is compiled once for all programs with the same --flags")
    parser.add_argument("--flags", default="", help="further flags for everything that clang compiles")
    parser.add_argument("--instrumented", action="store_true", help="with the sanitizers of addresses and of undefined behaviour")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    gcc, clang = compilers(options)
    flags = [*(["-g", "-fsanitize=address,undefined"] if options.instrumented else []), *shlex.split(options.flags)]
    plugin = [f"-fplugin={options.plugin}", *DEFER]
    plugin += [f"-fplugin-arg-windrow-without-{rule}" for rule in options.without.split(",") if rule]
    dialect = ["-std=c++20"] if gcc == "g++" else []
    with tempfile.TemporaryDirectory() as folder:
        program, code = f"{folder}/program", f"{folder}/code.o"
        if options.runtime:
            runtime = shared_runtime(options.clang, flags, options.runtime)
        else:
            runtime = compile_runtime(options.clang, flags, folder)

        def build(command):
            run([*command, *INCLUDE, "-c", options.program, "-o", code])
            run([clang, *flags, code, *runtime, "-o", program])

        def compare(level):
            build([clang, *dialect, *flags, f"-{level}", *plugin])
            for order, limit in ((order, limit) for order in options.orders.split(",") for limit in LIMITS[order]):
                found = run([program], REORDER_ORDER=order, REORDER_LIMIT=limit)
                if found != expected:
                    sys.exit(f"-{level}, {order}, limit {limit}: printed\n{found}in place of\n{expected}")

        build([gcc, *dialect, "-O0", "-Wno-unknown-pragmas"])
        expected = run([program])
        try:
            for level in options.levels.split(","):
                compare(level)
        except SystemExit:
            build([clang, *dialect, *flags, "-O1", "-Wno-unknown-pragmas"])
            if run([program]) != expected:
                sys.exit("gcc and clang disagree about the program as it is written")
            raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
