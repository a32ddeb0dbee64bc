# SPDX-License-Identifier: BSD-3-Clause
"""`windrow light-threads` in gdb: what it says of two that wait, and that the program goes on afterwards.

Usage: gdb_test.py GDB SCRIPT PROGRAM"""
import platform
import re
import subprocess
import sys

gdb, script, program = sys.argv[1:]
commands = ["run", f"source {script}", "windrow light-threads", "windrow light-threads backtraces", "continue",
            "windrow light-threads nonsense"]
# Without debug information of the C library gdb takes the stack for another one while registers change: the harder case.
done = subprocess.run([gdb, "-nx", "-batch", "-iex", "set debug-file-directory /nowhere",
                       *(word for command in commands for word in ("-ex", command)), program],
                      check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
wanted = [r'PE 0 worker 0: light thread "left" waits for a latch at 0x[0-9a-f]+\n', r"PE 0 worker 0: a light thread waits for a latch at 0x",
          r"went on\nwent on\n", r"exited normally", r"the only argument is `backtraces`"]
if platform.machine() == "x86_64":
    wanted.append(r"#\d+ .*worker::suspend(.*\n)*.*waits_here")
missing = [text for text in wanted if not re.search(text, done.stdout)]
if missing:
    sys.exit(f"missing: {missing}\n{done.stdout}")
