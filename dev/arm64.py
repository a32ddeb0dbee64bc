# SPDX-License-Identifier: BSD-3-Clause
"""The library for ARM64, by a cross-compiler, and tests of its rooms under an emulator (tests/arm64)."""
import os
import subprocess

import build
import ctest


def check(results, _):
    with build.lock():
        status, output = make(results.bar.advance)
    results.add("arm64 build", "" if status == 0 else f"the arm64 build failed:\n{output}")
    if status == 0:
        ctest.run("arm64", ctest.listed("arm64"), results)


def make(progress):
    """Returns ninja's exit status and what compilers said."""
    with build.lock("arm64"):
        configure(build.directory("arm64"))
        return build.run_ninja("arm64", [], progress)


def configure(folder):
    """Of fmt, which the library contains, headers are enough: those of this machine."""
    toolchain = os.path.join(build.ROOT, "cmake", "aarch64.toolchain.cmake")
    command = ["cmake", "-S", os.path.join(build.ROOT, "tests", "arm64"), "-B", folder, "-G", "Ninja",
               f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG --param=ggc-min-heapsize=1000000", f"-Dfmt_DIR={build.cached('release', 'fmt_DIR')}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise build.Failure(f"configuring the arm64 build failed:\n{done.stdout}")
