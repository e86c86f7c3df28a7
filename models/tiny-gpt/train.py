#!/usr/bin/env python3
"""Trains the transformer on additions that it makes up, and writes the models and 1,000 sums it has not seen.

Needs numpy and python3-onnx. Run without arguments it remakes every data file of this folder.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one order of summation, see README.md

import argparse
import time
from pathlib import Path

import numpy as np

import network
from export import export  # puts the folder of digits on the path
from adam import Adam

HERE = Path(__file__).resolve().parent
SEED, TEST_SEED, TESTS = 606, 707, 1000


def lines(pairs):
    """The tokens of the lines of pairs [n, 2]: [n, PROMPT + ANSWER]."""
    return np.array([network.encode(network.line(a, b)) for a, b in pairs])


def test_pairs():
    """Pairs that training never sees: a pair is its number a * 1000 + b."""
    chosen = np.random.RandomState(TEST_SEED).choice(1000 * 1000, TESTS, replace=False)
    return np.stack([chosen // 1000, chosen % 1000], axis=1)


def draw(rng, n, kept_back):
    """Pairs with as many digits as it happens: small numbers are as frequent as large ones."""
    limits = 10 ** rng.randint(1, 4, (n, 2))
    pairs = rng.randint(0, 1000, (n, 2)) % np.where(rng.rand(n, 1) < 0.2, limits, 1000)
    return pairs[~np.isin(pairs[:, 0] * 1000 + pairs[:, 1], kept_back)]


def accuracy(p, tokens):
    said, _ = network.answer(p, tokens[:, : network.PROMPT])
    return (said == tokens[:, network.PROMPT :]).all(axis=1).mean()


def expected(p, tests):
    """The test set, one prompt, and the scores that its answer's tokens are chosen by, in f64."""
    prompt = lines([(123, 456)])[:, : network.PROMPT]
    _, scores = network.answer(p, prompt, np.float64)
    return {
        "sums": lines(tests).astype(np.uint8),
        "prompt": prompt,
        "scores_first": scores[:, 0].astype(np.float32),
        "scores_last": scores[:, -1].astype(np.float32),
    }


def train(steps, batch, tests):
    rng = np.random.RandomState(SEED)
    p = network.start_parameters(rng)
    adam, began = Adam(p, kept=0.99, taken=0.01), time.time()
    kept_back = tests[:, 0] * 1000 + tests[:, 1]
    watched = lines(draw(rng, 500, kept_back))
    for step in range(steps):
        tokens = lines(draw(rng, batch, kept_back))
        scores, kept = network.forward(p, tokens)
        loss, gradient = network.loss_gradient(scores, tokens)
        rate = 0.002 * min(1, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * step / steps))
        adam.step(p, network.backward(p, tokens, gradient, kept), rate)
        if step % 250 == 249:
            print(f"step {step + 1}: {time.time() - began:.0f} s, loss {loss:.4f}, "
                  f"seen {accuracy(p, watched):.1%}", flush=True)
    return p


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--steps", type=int, default=5000)
    args.add_argument("--batch", type=int, default=200)
    args.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    args = args.parse_args()

    tests = test_pairs()
    p = train(args.steps, args.batch, tests)
    # Looked at once, here: nothing above was chosen by it.
    print(f"unseen, the {TESTS} of the test set: {accuracy(p, lines(tests)):.2%}")
    args.out.mkdir(parents=True, exist_ok=True)
    export(p, args.out)
    for name, array in expected(p, tests).items():
        np.save(args.out / f"{name}.npy", array)


if __name__ == "__main__":
    main()
