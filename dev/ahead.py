# SPDX-License-Identifier: BSD-3-Clause
"""While tests run, which mostly wait, the work of later steps: with the processor time that they leave."""
import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys

import arm64
import build
import children
import ctest
import oldest_tools
import tidy

# What a step names, with arguments, as that of its work which can be done ahead.
WORK = {"build": lambda preset, *targets: build.build(preset, targets, lambda fraction: None),
        "tests": ctest.run_ahead,
        "arm64": lambda: arm64.make(lambda fraction: None),
        "clang-tidy": tidy.look_ahead,
        "oldest-tools": oldest_tools.make}


@contextlib.contextmanager
def working(tasks):
    """Tasks, [name, arguments...] of WORK, one after the other; but nothing waits for tests, which mostly wait themselves. What is not
    finished at the end is left to the steps themselves, which also complain of what fails."""
    command = ["nice", "-n", "19", sys.executable, os.path.realpath(__file__), build.ROOT, json.dumps(tasks)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True, preexec_fn=children.end_with_parent) as process:
        try:
            yield
        finally:
            process.terminate()


def main(root, tasks):
    signal.signal(signal.SIGTERM, leave)
    build.ROOT = root
    for name, *arguments in json.loads(tasks):
        if name == "tests":
            multiprocessing.get_context("fork").Process(target=beside, args=(name, *arguments)).start()
        else:
            do(name, *arguments)


def beside(*task):
    children.end_with_parent()
    do(*task)


def do(name, *arguments):
    with contextlib.suppress(build.Failure):
        WORK[name](*arguments)


def leave(*_):
    """With all that is at work in this session: ninja ends its compilers and takes their unfinished files away."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    sys.exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
