#!/usr/bin/env python3
"""Writes the inputs of step.inlay and what it must answer after 1, 16 and 40 steps.

Needs numpy. Only whoever changes the model needs to run it: python3 make.py
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS, PLACES, WIDTH = 40, 16, 8


def save(name, array):
    np.save(os.path.join(HERE, name + ".npy"), array)


def main():
    random = np.random.RandomState(1)  # a stream that numpy keeps the same for good
    # small whole numbers: every sum is exact, in whatever order it is made
    tokens = random.randint(-9, 10, (STEPS, WIDTH)).astype(np.float32)
    query = random.randint(-9, 10, WIDTH).astype(np.float32)
    cache = np.zeros((PLACES, WIDTH), np.float32)
    save("tokens", tokens)
    save("query", query)
    for step in range(STEPS):
        cache[step % PLACES] = tokens[step]
        if step + 1 in (1, 16, 40):
            save(f"scores_{step + 1}", cache @ query)


main()
