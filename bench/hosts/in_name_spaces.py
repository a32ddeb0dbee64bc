#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command, `windrow bench hosts` if none is given, on a login node with two hosts made of name spaces, node1 and
node2, each bound to a processor of its own. Needs root."""
import argparse
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/hosts"))
from cluster import Cluster, why_no_delay, why_not  # pylint: disable=wrong-import-position


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay-us", type=int, help="how long what one host sends another is under way; needs hosts_switch "
                                                     "of the tests beside WINDROW")
    parser.add_argument("windrow", metavar="WINDROW", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("words", metavar="WORDS", nargs=argparse.REMAINDER)
    return parser.parse_args()


def main():
    given = arguments()
    delayed = given.delay_us is not None
    obstacle = why_no_delay() if delayed else why_not()
    if obstacle:
        sys.exit(f"skipped: {obstacle}")
    switch = (given.windrow.parent / "hosts_switch", given.delay_us) if delayed else ()
    command = [str(given.windrow), *(given.words or ["bench", "hosts", "--hosts", "node1,node2"])]
    consent = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}
    with Cluster(2, bound=True, switch=switch) as cluster:
        done = subprocess.run(cluster.command_at("login", *command),
                              env={**os.environ, **consent, **cluster.environment()}, check=False)
    sys.exit(done.returncode)


main()
