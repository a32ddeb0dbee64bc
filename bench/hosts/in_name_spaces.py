#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command, `windrow bench hosts` if none is given, on a login node with two hosts made of name spaces, node1 and
node2, each bound to a processor of its own. Needs root: bench/hosts/in_name_spaces.py WINDROW [WORDS…]."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/hosts"))
from cluster import Cluster, why_not  # pylint: disable=wrong-import-position


def main():
    obstacle = why_not()
    if obstacle:
        sys.exit(f"skipped: {obstacle}")
    words = sys.argv[1:] if len(sys.argv) > 2 else [*sys.argv[1:], "bench", "hosts", "--hosts", "node1,node2"]
    consent = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}
    with Cluster(2, bound=True) as cluster:
        done = subprocess.run(cluster.command_at("login", *words),
                              env={**os.environ, **consent, **cluster.environment()}, check=False)
    sys.exit(done.returncode)


main()
