#!/usr/bin/env python3
"""What a token of models/tiny-gpt costs at several lengths of its cache, as a chart: Inlay with the
cache in variables, and ONNX Runtime with the cache as inputs and outputs, in turn.

Needs numpy and python3-onnx, which export the models, and ONNX Runtime's library:

    bench/tokens.py --inlay build/inlay --onnxruntime FILE.so --out bench/tokens.svg
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL = HERE.parent / "models" / "tiny-gpt"
LENGTHS = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 70, 20, 150, 50
COLOURS = {"Inlay": "#1f6feb", "ONNX Runtime": "#b35900"}


def bench(command):
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measure(args, folder, length, found):
    """One round at LENGTH: the medians of both, in microseconds."""
    options = ["--threads", "1", "-t", str(args.seconds), "--no-steps", "--json"]
    own = bench([args.inlay, "bench", folder / "tiny-gpt.xml", "--shape", "tokens=1,1", *options])
    caches = [a for c in ("keys0", "values0", "keys1", "values1") for a in ("-i", f"{c}=zeros")]
    peer = bench([args.inlay, "bench", folder / "tiny-gpt.onnx", "--dim", "t=1", "-i", "tokens=ones",
                  "-i", "position=ones", *caches, *options, "--compare", "onnxruntime",
                  "--onnxruntime", args.onnxruntime])
    found["Inlay"].setdefault(length, []).append(own["median_us"])
    found["ONNX Runtime"].setdefault(length, []).append(peer["compare"]["median_us"])


def measure_all(args):
    found = {name: {} for name in COLOURS}
    with tempfile.TemporaryDirectory() as top:
        folders = {}
        for length in LENGTHS:
            folders[length] = Path(top) / str(length)
            folders[length].mkdir()
            subprocess.run([sys.executable, MODEL / "export.py", "--capacity", str(length), "--out",
                            folders[length]], check=True)
        for _ in range(args.rounds):
            for length in LENGTHS:
                measure(args, folders[length], length, found)
    return {name: {n: statistics.median(times) for n, times in lengths.items()}
            for name, lengths in found.items()}


class Chart:
    """Both axes are logarithms."""

    def __init__(self, medians):
        times = [t for line in medians.values() for t in line.values()]
        self.low = math.floor(math.log10(min(times)))
        self.high = math.ceil(math.log10(max(times)))
        self.parts = []

    def x(self, length):
        at = math.log2(length / LENGTHS[0]) / math.log2(LENGTHS[-1] / LENGTHS[0])
        return LEFT + at * (WIDTH - LEFT - RIGHT)

    def y(self, microseconds):
        at = (math.log10(microseconds) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - at * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, words, anchor="middle", colour="#57606a"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>')

    def line(self, x1, y1, x2, y2):
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#d0d7de" fill="none"/>')

    def axes(self):
        for power in range(self.low, self.high + 1):
            self.line(LEFT, self.y(10**power), WIDTH - RIGHT, self.y(10**power))
            self.text(LEFT - 8, self.y(10**power) + 4, f"{10**power:,} µs", "end")
        for length in LENGTHS:
            self.text(self.x(length), HEIGHT - BOTTOM + 18, f"{length}")
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "places in the cache")

    def curve(self, name, line):
        colour = COLOURS[name]
        points = [(self.x(n), self.y(t)) for n, t in line.items()]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        self.text(points[-1][0] + 8, points[-1][1] + 4, name, "start", colour)

    def svg(self, medians):
        self.axes()
        for name, line in medians.items():
            self.curve(name, line)
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'font-family="sans-serif" font-size="12">')
        back = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
        title = "<title>The time of a token against the length of the cache</title>"
        return "\n".join([head, title, back, *self.parts, "</svg>", ""])


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--inlay", default="build/inlay")
    args.add_argument("--onnxruntime", required=True, help="its library")
    args.add_argument("--rounds", type=int, default=3)
    args.add_argument("--seconds", type=float, default=0.3, help="of each measurement")
    args.add_argument("--out", type=Path, default=HERE / "tokens.svg")
    args = args.parse_args()
    medians = measure_all(args)
    args.out.write_text(Chart(medians).svg(medians), encoding="utf-8")
    for length in LENGTHS:
        own, peer = (medians[name][length] for name in COLOURS)
        print(f"{length:6} places: {own:8.1f} µs, ONNX Runtime {peer:8.1f}, {peer / own:.1f} times ours",
              file=sys.stderr)


if __name__ == "__main__":
    main()
