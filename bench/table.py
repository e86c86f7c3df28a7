"""The table of limits: what must be reached, beside what was measured. Each line is measured in
every round, one line after another, and the median of the rounds counts. Programs that it calls:
`inlay bench`, which runs ONNX Runtime in turn, and table.c for the rest."""
import json
import os
import statistics
import subprocess
import sys

import kept

ROUNDS = int(os.environ.get("BENCH_TABLE_ROUNDS", 5))
LENGTHS = (512, 1024, 2048, 4096, 8192)
STEPS = 1024  # of a loop, at most (onnx_models.py)
# Models of run.sh's folder onnx-large, what they are, and the limits of one and of two threads, with ONNX Runtime's
# time on as many as 1.
MODELS = (("cmp_matmul_256", "MatMul 256", 1.0, 1.0), ("cmp_matmul_1024", "MatMul 1024", 1.0, 1.0),
          ("cmp_conv3x3", "Conv 3x3, 64 to 64, 56x56", 1.0, 1.0), ("cmp_convdw", "depthwise 144, 56x56", 1.0, 1.0),
          ("cmp_resnet50_folded", "ResNet-50", 1.0, 1.0), ("cmp_mobilenetv2", "MobileNetV2", 1.1, 1.1),
          ("cmp_bert", "BERT-base 128", 0.95, 0.85), ("cmp_lstm2", "two-layer LSTM", 1.0, 1.0),
          ("cmp_gpt_sc_1024", "GPT step, cache of 1,024, kept", None, None))
FAST = 4  # of MODELS are products and convolutions, which the portable kernels make at half of oneDNN's rate or more
KERNELS = ("portable", "onednn")
OURS = "onednn"  # of KERNELS is what Inlay takes by itself; the others' limit is their rate beside that
OPENED = {"cmp_resnet50_folded": "ResNet-50", "cmp_bert": "BERT-base"}  # from file to ready
STEP = "cmp_gpt_sc_1024"  # of a model whose caches come back written
TINY = ("run", "models/window/window.inlay", "-i", "data=models/window/data.npy", "--quiet")


class Table:
    def __init__(self, folder, library):
        self.folder, self.library = folder, library
        self.inlay = os.path.join(os.path.dirname(folder), "inlay")
        self.found = {}  # (line, who): microseconds, one number a round
        self.limits = {}  # of compressed weights, by how they are stored
        self.number = 0  # of the round

    def model(self, name):
        return os.path.join(self.folder, "onnx", f"{name}.onnx")

    def large(self):
        """The lines of MODELS that are there: their names, what they are, limits, files, kernels and threads."""
        for name, what, *limits in MODELS:
            path = os.path.join(self.folder, "onnx-large", f"{name}.onnx")
            for kernels in KERNELS if os.path.exists(path) else ():
                for threads in (1, 2):
                    yield (f"{name} {kernels} {threads}",
                           f"{what}, --kernels {kernels} --threads {threads} : ONNX Runtime",
                           limits[threads - 1] if kernels == OURS else None, path, kernels, threads)

    def others(self):
        """The same of sizes.json: lines, what they are, limits, files and options."""
        path = os.path.join(self.folder, "onnx", "sizes.json")
        with open(path) as f:
            listed = json.load(f)
        for one in listed:
            given = ("-i", f"x={self.model(one['name'])[:-5]}.npy") if one["given"] else ()
            for kernels in KERNELS if one["kernels"] else (None,):
                options = given + (("--kernels", kernels) if kernels else ())
                yield (f"{one['name']} {kernels}",
                       one["what"] + (f", --kernels {kernels}" if kernels else "") + " : ONNX Runtime",
                       one["limit"] if kernels in (None, OURS) else None, self.model(one["name"]), options)

    def printed(self, line, who, command):
        """The lines of JSON that COMMAND prints, or printed when it was kept."""
        def measure():
            environ = dict(os.environ, BENCH_SECONDS="0.3")
            p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ)
            if p.returncode:
                print(f"bench: {' '.join(command)}: {p.stderr.strip()}", file=sys.stderr)
                return []
            return lines_of(p.stdout)

        what = f"table, round {self.number + 1}: {line}, {who}"
        print(what, file=sys.stderr)
        return kept.measured(what, measure)

    def add(self, line, who, command, *path):
        """The number at PATH of what COMMAND prints in JSON."""
        for printed in self.printed(line, who, command):
            for name, keys in ((who, path), ("peer", ("compare",) + path)):
                number = printed
                for key in keys:
                    number = number.get(key, {})
                if isinstance(number, (int, float)):
                    self.found.setdefault((line, name), []).append(number)

    def compressed(self):
        """Each storage of the weights: its time as a part of that of f32."""
        for printed in self.printed("compressed", "inlay", [os.path.join(self.folder, "compressed")]):
            if "limit" in printed:
                self.limits[printed["weights"]] = printed["limit"]
                self.found.setdefault((printed["weights"], "inlay"), []).append(printed["ratio"])

    def bench(self, line, name, *options, **how):
        self.bench_file(line, self.model(name), *options, **how)

    def bench_file(self, line, path, *options, who="inlay", peer=True, threads=1):
        command = [self.inlay, "bench", path, "--json", "--no-steps",
                   "--threads", str(threads), *options]
        if peer and self.library:
            command += ["--compare", "onnxruntime", "--onnxruntime", self.library]
        self.add(line, who, command, "median_us")

    def program(self, line, *arguments, who="inlay"):
        self.add(line, who, [os.path.join(self.folder, "table"), *arguments], "median_us")

    def ready(self, first):
        for name in ("adds-100000", "adds-1000000", "bert"):
            if first or name != "adds-1000000":
                self.program(f"ready {name}", "ready", self.model(name))
            if first and name != "adds-1000000" and self.library:
                self.program(f"ready {name}", "session", self.library, self.model(name), who="peer")
        for name, path in self.opened():
            self.program(f"ready {name}", "ready", path)
            if self.library:
                self.program(f"ready {name}", "session", self.library, path, who="peer")
            self.add(f"held {name}", "inlay", [os.path.join(self.folder, "table"), "held", path], "ratio")

    def opened(self):
        """Those of OPENED that are there, and their files."""
        for name in OPENED:
            path = os.path.join(self.folder, "onnx-large", f"{name}.onnx")
            if os.path.exists(path):
                yield name, path

    def round(self, number):
        first, self.number = number == 0, number
        for n in LENGTHS:
            self.bench(f"loop-{n}", f"loop-{n}", "--niter", "3")
            self.program(f"loop-{n}", "donated", self.model(f"loop-{n}"), who="donated")
        self.bench("iterations", "iterations", "-t", "0.3")
        self.bench("adds", "adds-10000", "-t", "0.3")
        self.bench("elementwise", "elementwise", "--niter", "5")
        self.program("copy", "copy")
        self.bench("softmax", "softmax", "-t", "0.3")
        self.bench("layernorm", "layernorm", "-t", "0.3")
        for line, _, _, path, kernels, threads in self.large():
            self.bench_file(line, path, "-t", "0.3", "--kernels", kernels, threads=threads)
        for line, _, _, path, options in self.others():
            self.bench_file(line, path, "-t", "0.3", *options)
        step = os.path.join(self.folder, "onnx-large", f"{STEP}.onnx")
        for kernels in KERNELS if self.library and os.path.exists(step) else ():
            self.add(f"step {kernels}", "inlay", [os.path.join(self.folder, "step"), self.library, step, kernels],
                     "median_us")
        for name in ("elementwise", "matmul"):
            self.bench(f"{name}, 1 thread", name, "--niter", "5", peer=False)
            self.bench(f"{name}, 2 threads", name, "--niter", "5", peer=False, threads=2)
        self.compressed()
        self.ready(first)
        self.program("shapes", "shapes")
        self.program("start", "start", self.inlay, *TINY)

    def get(self, line, who="inlay"):
        numbers = self.found.get((line, who))
        return statistics.median(numbers) if numbers else None

    def rows(self):
        """(what, measured, limit, ONNX Runtime) as numbers, with the unit in which they are shown."""
        for n in LENGTHS:
            for who, text in (("inlay", "kept, which is copied once"), ("donated", "donated")):
                steps = min(STEPS, n)
                yield (f"step of a cache of {n} in a Loop of {steps}, {text}", "us",
                       per(self.get(f"loop-{n}", who), steps), 1.0 if who == "donated" else None,
                       per(self.get(f"loop-{n}", "peer"), steps))
        yield ("iteration of a Loop, one Add on [4]", "us", per(self.get("iterations"), 10000), None,
               per(self.get("iterations", "peer"), 10000))
        yield ("a node in a chain of 10,000 Adds on [4]", "us", per(self.get("adds"), 10000), 0.03,
               per(self.get("adds", "peer"), 10000))
        yield ("8 elementwise operations on 64 MiB", "ms", per(self.get("elementwise"), 1000), None,
               per(self.get("elementwise", "peer"), 1000))
        yield ("8 elementwise operations on 64 MiB : a memcpy of it", "x",
               ratio(self.get("elementwise"), self.get("copy")), 1.25, None)
        for name, what, limit in (("softmax", "softmax [128,768]", 1.15),
                                  ("layernorm", "layer normalisation [128,768]", 1.0)):
            own, peer = self.get(name), self.get(name, "peer")
            yield (f"{what} : ONNX Runtime", "x", ratio(own, peer), limit, None)
        for line, what, limit, *_ in self.large():
            yield (what, "x", ratio(self.get(line), self.get(line, "peer")), limit, None)
        for name, what, *_ in MODELS[:FAST]:
            own, peer = (self.get(f"{name} {kernels} 1") for kernels in KERNELS)
            yield (f"{what}, --kernels portable : --kernels onednn, one thread", "x", ratio(own, peer), 2.0, None)
        for kernels in KERNELS:
            line = f"step {kernels}"
            yield (f"GPT step, cache of 1,024, donated, --kernels {kernels} : ONNX Runtime, out = in", "x",
                   ratio(self.get(line), self.get(line, "peer")), 0.6, None)
        for line, what, limit, *_ in self.others():
            yield (what, "x", ratio(self.get(line), self.get(line, "peer")), limit, None)
        small, large = self.get("ready adds-100000"), self.get("ready adds-1000000")
        yield ("100,000 Adds ready to run", "ms", per(small, 1000), 250,
               per(self.get("ready adds-100000", "peer"), 1000))
        yield ("1,000,000 Adds : 100,000", "x", large / small if large and small else None, 10, None)
        yield ("model of BERT's size ready to run", "ms", per(self.get("ready bert"), 1000), 10,
               per(self.get("ready bert", "peer"), 1000))
        for weights, limit in self.limits.items():
            yield (f"MatMul 1x4096x4096, weights {weights} : f32", "x", self.get(weights), limit, None)
        for name, _ in self.opened():
            yield (f"{OPENED[name]}, file to ready : ONNX Runtime", "x",
                   ratio(self.get(f"ready {name}"), self.get(f"ready {name}", "peer")), 0.2, None)
            yield (f"{OPENED[name]}, after a run: memory and resident pages of the file : the file", "x",
                   self.get(f"held {name}"), 1.15, None)
        yield ("a run with a new shape, above one with an old one, a step", "us", self.get("shapes"),
               2.0, None)
        yield ("process, from its start to the answer of a tiny model", "ms",
               per(self.get("start"), 1000), 1.5, None)
        for name in ("elementwise", "matmul"):
            one, two = (self.get(f"{name}, {n}") for n in ("1 thread", "2 threads"))
            yield (f"{name}, two threads : one", "x", two / one if one and two else None, None, None)


def lines_of(text):
    """The JSON of TEXT: a document a line, or one of several lines."""
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return [json.loads(text)]


def per(number, parts):
    return number / parts if number is not None else None


def ratio(number, other):
    return number / other if number is not None and other is not None else None


def shown(number, unit):
    if number is None:
        return ""
    digits = f"{number:.3f}" if number < 0.1 else f"{number:.2f}" if number < 10 else f"{number:.0f}"
    return f"{digits} {unit}"


def windows_rows(chains, median):
    """The same of the windows: LABELS' medians, a memcpy of the tensor, for each workload."""
    for workload, memcpy in chains:
        loops = median(workload, "loops in C, in place")
        yield (f"32 windows on 64 MiB, {workload}, donated : plain C loops", "x",
               median(workload, "Inlay, donated") / loops, 1.2, None)
        yield (f"32 windows on 64 MiB, {workload}, kept : plain C loops and a memcpy", "x",
               median(workload, "Inlay, kept") / (loops + memcpy), 1.2, None)


def tolerance(what):
    """What a limit may be multiplied by: two threads wait for each other, whatever else the machine does."""
    return 1.15 if "--threads 2 " in what else 1.05


def print_rows(rows):
    print("\n## Limits\n\nA limit is met within 5 %, on two threads within 15 %. The portable kernels are there for want"
          "\nof oneDNN; their limit is twice oneDNN's time on products and convolutions.\n")
    print("| | measured | limit | | ONNX Runtime |")
    print("| --- | ---: | ---: | --- | ---: |")
    for what, unit, number, limit, peer in rows:
        verdict = "" if limit is None or number is None else \
            "met" if number <= tolerance(what) * limit else "**not met**"
        print(f"| {what} | {shown(number, unit)} | {shown(limit, unit)} | {verdict} "
              f"| {shown(peer, unit)} |")


def measure(folder, library):
    t = Table(folder, library)
    for number in range(ROUNDS):
        t.round(number)
    return t
