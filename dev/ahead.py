# SPDX-License-Identifier: BSD-3-Clause
"""While tests run, which mostly wait, the next build: with the processor time that they leave."""
import contextlib
import os
import signal
import subprocess
import sys

import build


@contextlib.contextmanager
def building(preset, targets):
    """What is not finished at the end is left to the build itself, which also complains of what fails."""
    command = ["nice", "-n", "19", sys.executable, os.path.realpath(__file__), build.ROOT, preset, *targets]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as process:
        try:
            yield
        finally:
            # ninja, which is in that session, ends its compilers and takes their unfinished files away.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)


def main(root, preset, *targets):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # once ninja has ended
    build.ROOT = root
    build.build(preset, targets, lambda fraction: None)


if __name__ == "__main__":
    main(*sys.argv[1:])
