#!/usr/bin/env python3
"""numpy on the workloads of this folder. usage: numpy_peer.py WORKLOAD, as windows.c has them.

Prints one JSON line for each variant."""
import json
import os
import resource
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

ROWS, COLUMNS, WINDOWS, HEADS, WIDTH = 16384, 1024, 32, 8, 64
SCALE, SHIFT = np.float32(0.5), np.float32(0.25)


def fill(*shape):
    n = int(np.prod(shape))
    x = np.arange(n, dtype=np.uint32) * np.uint32(2654435761) >> np.uint32(8)
    return (x.astype(np.float32) / np.float32(16777216) - np.float32(0.5)).reshape(shape)


def busy():
    with open("/proc/stat") as f:
        v = [float(x) for x in f.readline().split()[1:9]]
    return (sum(v) - v[3] - v[4]) / os.sysconf("SC_CLK_TCK")


def own():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime


def measure(workload, variant, run, check):
    seconds = float(os.environ.get("BENCH_SECONDS", 1))
    run()
    times, start, was_busy, was_own = [], time.perf_counter(), busy(), own()
    while len(times) < 5 or (time.perf_counter() - start < seconds and len(times) < 100000):
        t = time.perf_counter()
        run()
        times.append(time.perf_counter() - t)
    wall = time.perf_counter() - start
    foreign = max(0, (busy() - was_busy - own() + was_own) / wall / os.cpu_count())
    print(json.dumps({"peer": "numpy", "workload": workload, "variant": variant,
                      "median_us": round(float(np.median(times)) * 1e6, 2),
                      "min_us": round(min(times) * 1e6, 2), "runs": len(times),
                      "check": float(check), "foreign_cpu": round(foreign, 3)}), flush=True)


def chain(workload):
    data, out = fill(ROWS, COLUMNS), np.empty((ROWS, COLUMNS), np.float32)
    if workload == "rows":
        parts = [np.s_[512 * i:512 * i + 256] for i in range(WINDOWS)]
    else:
        parts = [np.s_[:, 32 * i:32 * i + 16] for i in range(WINDOWS)]

    def update(x):
        for part in parts:
            window = x[part]
            window *= SCALE
            window += SHIFT

    def copy_and_update():
        np.copyto(out, data)
        update(out)

    copy_and_update()
    check = out.sum(dtype=np.float64)
    measure(workload, "one copy, then in place", copy_and_update, check)
    measure(workload, "in place", lambda: update(data), check)


def cache(workload, length):
    table, row, step = np.zeros((1, HEADS, length, WIDTH), np.float32), fill(1, HEADS, 1, WIDTH), [0]

    def run():
        place = step[0] % length
        step[0] += 1
        table[:, :, place:place + 1] = row
        return table[:, :, place].sum()

    measure(workload, "in place", run, run())


name = sys.argv[1]
if name.startswith("cache-"):
    cache(name, int(name[6:]))
else:
    chain(name)
