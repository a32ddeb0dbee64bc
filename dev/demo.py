# SPDX-License-Identifier: BSD-3-Clause
"""`./windrow demo`: the kernels first, since they need little, then the directive, which needs clang."""
import os
import subprocess
import sys

import build
import children
import commands
import parts
from progress import Bar

WHOLE = ("-h", "--help", "--json", "--only-kernels", "--only-directive")  # what the command does in one go


def main(words, yes):
    """`words` are those behind "demo"."""
    if any(word in WHOLE for word in words):
        if "--only-directive" in words:
            prepare_directive(yes)
        return run(words)
    status = run(["--only-kernels", *words])
    if status != 0:
        return status
    print("\nNext: the same for a plain C loop, by a plug-in for clang.", flush=True)
    reason = prepare_directive(yes)
    if reason:
        print(f"windrow: without the plug-in: {reason}", file=sys.stderr, flush=True)
    return run(["--only-directive", *words])


def run(words):
    command = os.path.join(build.directory("release"), "bin", "windrow")
    return subprocess.run([command, "demo", *words], check=False, preexec_fn=children.end_with_parent).returncode


def prepare_directive(yes):
    """Installs clang, if that is agreed to, and builds the plug-in; returns why not, or an empty text."""
    try:
        with build.lock():
            commands.ensure_plug_in(yes)
            known = build.targets("release")
            with Bar({"building": 60}) as bar:
                bar.start("building")
                build.build("release", ["windrow_command", *[name for name in commands.PLUG_INS[:1] if name in known]], bar.advance)
        return "" if known & set(commands.PLUG_INS) else f"CMake found no clang that it is for; {parts.plug_in(19).packages[2]} has one"
    except build.Failure as failure:
        return str(failure)
