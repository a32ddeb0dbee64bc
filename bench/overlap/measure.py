#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""measure.py WINDROW [CLANG]: the tables of docs/overlap.md for the programs of apps/: what recording and plans cost on one host, what `windrow
overlap predict` says beside the simulator, and plans beside the program that is overlapped by hand, predicted and simulated. Takes some minutes of a machine that is idle."""
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

WINDROW, CLANG = os.path.abspath(sys.argv[1]), (sys.argv[2:] or ["clang-19"])[0]
APPS = pathlib.Path(__file__).resolve().parents[2] / "apps"
RUNS = 5
COSTS = {"overlap/halo": (1024, 20), "overlap/integer_sort": (500000, 3), "overlap/multigrid": (64, 2), "shmem/stencil": (), "shmem/bucket_sort": (1000000,)}
SIMULATED = {"overlap/halo": (32, 10), "overlap/integer_sort": (2000, 2), "overlap/multigrid": (8, 2)}
NETWORKS = ("hdr", "slingshot11,pes_per_host=1", "cloud,pes_per_host=1")


def do(*words, folder, **variables):
    """(output, complaints, seconds of processor time)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "CC": CLANG, **variables})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{words}: {done.stderr}")
    return done.stdout, done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compile_all(folder, app):
    source = APPS / f"{app}.c"
    do(WINDROW, "cc", "-O2", source, "-o", "plain", "-lm", folder=folder)
    do(WINDROW, "cc", "-foverlap", "-O2", source, "-o", "recorded", "-lm", folder=folder)


def compile_planned(folder, app, recording):
    plan = do(WINDROW, "overlap", "plan", recording, "--all", "--approve", "all", folder=folder)[0]
    (folder / "plan.json").write_text(plan, encoding="utf-8")
    do(WINDROW, "cc", "-foverlap-plan=plan.json", "-O2", APPS / f"{app}.c", "-o", "planned", "-lm", folder=folder)


def seconds(folder, *words):
    return statistics.median(do(WINDROW, *words, folder=folder)[2] for _ in range(RUNS))


def costs(folder):
    print("| program | not recorded | recorded | file | with `--accesses` | with a plan |\n|---|---|---|---|---|---|")
    for app, arguments in COSTS.items():
        compile_all(folder, app)
        plain = seconds(folder, "run", "-n", 2, "./plain", *arguments)
        off = seconds(folder, "run", "-n", 2, "./recorded", *arguments)
        on = seconds(folder, "overlap", "record", "-o", "r", "-n", 2, "./recorded", *arguments)
        size = (folder / "r").stat().st_size
        compile_planned(folder, app, "r")
        planned = seconds(folder, "run", "-n", 2, "./planned", *arguments)
        everything = do(WINDROW, "overlap", "record", "--accesses", "-o", "r", "-n", 2, "./recorded", *arguments, folder=folder)[2]
        name = f"apps/{app} {' '.join(map(str, arguments))}".strip()
        print(f"| `{name}` | {off / plain:.2f} | {on / plain:.2f} | {size / 1024:.0f} KB | {everything / plain:.1f} | {planned / plain:.2f} |", flush=True)


def predicted(folder, recording, network):
    """Waited, in ms: as it is, with the plan."""
    text = do(WINDROW, "overlap", "predict", recording, "--network", network, folder=folder)[0]
    return [float(line.split()[-1]) for line in text.splitlines()[1:3]]


def clock(folder, network, *words):
    said = do(WINDROW, "run", "-n", 4, *words, folder=folder, WINDROW_STATS="1", WINDROW_SIM=network)[1]
    return max(float(line.split()[-1]) for line in said.splitlines() if re.match(r"\s+\d+\s", line)) / 1000


def simulated(folder, network, *words):
    """The latest clock of the PEs, in ms, without start and end of the job: the program's own code costs nothing there."""
    (folder / "empty.c").write_text("#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); }\n", encoding="utf-8")
    do(WINDROW, "cc", "-O2", "empty.c", "-o", "empty", folder=folder)
    return clock(folder, network, *words) - clock(folder, network, "./empty")


def predictions(folder):
    print("\n| program | network | simulated ms | predicted ms | difference |\n|---|---|---|---|---|")
    for app, arguments in SIMULATED.items():
        compile_all(folder, app)
        do(WINDROW, "overlap", "record", "-o", "r", "-n", 4, "./recorded", *arguments, folder=folder)
        for network in NETWORKS:
            ran, told = simulated(folder, network, "./plain", *arguments), predicted(folder, "r", network)[0]
            print(f"| `{app} {' '.join(map(str, arguments))}` | `{network}` | {ran:.3f} | {told:.3f} | {100 * (told / ran - 1):+.0f} % |", flush=True)


def by_hand(folder):
    print("\n| network | blocking | with the plan | by hand | plan / by hand | inside first |\n|---|---|---|---|---|---|")
    compile_all(folder, "overlap/multigrid")
    modes = ("blocking", "together", "inside")
    for i in range(RUNS):
        for mode in modes:
            do(WINDROW, "overlap", "record", "-o", f"{mode}.{i}", "-n", 4, "./recorded", 16, 2, mode, folder=folder)
    for network in NETWORKS:
        times = {mode: [predicted(folder, f"{mode}.{i}", network) for i in range(RUNS)] for mode in modes}
        blocking, plan = (statistics.median(one[i] for one in times["blocking"]) for i in (0, 1))
        together, inside = (statistics.median(one[0] for one in times[mode]) for mode in modes[1:])
        print(f"| `{network}` | {blocking:.3f} | {plan:.3f} | {together:.3f} | {plan / together:.2f} | {inside:.3f} |", flush=True)


def simulated_by_hand(folder):
    print("\n| program | network | blocking | with the plan | by hand | plan / by hand |\n|---|---|---|---|---|---|")
    for app, arguments in SIMULATED.items():
        compile_all(folder, app)
        do(WINDROW, "overlap", "record", "-o", "r", "-n", 4, "./recorded", *arguments, folder=folder)
        compile_planned(folder, app, "r")
        for network in NETWORKS:
            blocking, plan = (simulated(folder, network, program, *arguments) for program in ("./plain", "./planned"))
            hand = simulated(folder, network, "./plain", *arguments, "together") if app == "overlap/multigrid" else None
            rest = f"{hand:.3f} | {plan / hand:.2f}" if hand else "- | -"
            print(f"| `{app} {' '.join(map(str, arguments))}` | `{network}` | {blocking:.3f} | {plan:.3f} | {rest} |", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        costs(folder)
        predictions(folder)
        by_hand(folder)
        simulated_by_hand(folder)


if __name__ == "__main__":
    main()
