# SPDX-License-Identifier: BSD-3-Clause
# Tests of single constructs, for LLVM's lit. lit.site.cfg.py, made by CMake, says where things are.
import os
import pathlib
import shutil

import lit.formats

config.name = "windrow-compiler"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.excludes = ["Inputs"]
if not config.newest:
    config.excludes += ["instrumented.c"]
if not config.at_length:
    config.excludes += ["many-types.c"]
if not config.newest and not config.at_length:
    config.excludes += [file.name for file in pathlib.Path(config.test_source_root).glob("*.c*") if "%same" in file.read_text(encoding="utf-8")]
config.environment["REORDER_ORDER"] = "random"

# The reordering runtime takes longer to compile than most tests: once for all of one run.
runtime = f"{config.test_exec_root}/runtime"
shutil.rmtree(runtime, ignore_errors=True)

# As `windrow cc -fdefer` gives them.
flags = "-fno-discard-value-names -Xclang -disable-lifetime-markers -Rpass-analysis=windrow-defer-lines"
include = f"-I{config.source}/include -I{config.source}/compiler/tests/reorder"
tests = f"{config.source}/compiler/tests"
same = f"{config.python} {tests}/same.py --clang {config.clang} --plugin {config.plugin} --levels {config.levels} --runtime {runtime}"
config.substitutions += [
    ("%cxx", f"{config.clangxx} -std=c++20 -fplugin={config.plugin} {flags} {include}"),
    ("%comm", f"-O2 -fplugin={config.plugin} -fpass-plugin={config.plugin} -fplugin-arg-windrow-no-defer {include} "
              "-Rpass=windrow-comm -Rpass-missed=windrow-comm -c -o /dev/null"),
    ("%cc", f"{config.clang} -fplugin={config.plugin} {flags} {include}"),
    ("%bare", f"{config.clang} {include}"),
    ("%plugin", config.plugin),
    ("%opt", f"{config.llvm}/opt -load-pass-plugin={config.pass_plugin}"),
    ("%FileCheck", f"{config.llvm}/FileCheck"),
    ("%not", f"{config.llvm}/not"),
    ("%windrow", config.windrow),
    ("%clang", config.clang),
    ("%programs", f"{tests}/programs"),
    ("%same", same),
    # Programs with sanitizers, which find what their output does not show.
    ("%instrumented", f"{same} --instrumented"),
    # What only the long tests do.
    ("%at_length", "" if config.at_length else "true"),
    ("%reorder", f"{tests}/reorder/reorder.c {tests}/reorder/ordering.c"),
]
