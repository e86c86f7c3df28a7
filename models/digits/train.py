#!/usr/bin/env python3
"""Draws digits, trains the network on them, writes the model and the pictures it has never seen.

Needs numpy and nothing else. Run without arguments it remakes every data file of this folder.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one order of summation, see README.md

import argparse
import time
from pathlib import Path

import numpy as np

import network
from draw import draw_set
from openvino_ir import Model

HERE = Path(__file__).resolve().parent
TRAIN_SEED, TEST_SEED, TEN_SEED, MORE_SEED, WEIGHTS_SEED = 101, 202, 303, 404, 505


def export(parameters, stem):
    """The same function as network.forward, as OpenVINO IR. The batch size is left open."""
    f32 = np.float32
    m = Model("digits")
    x = m.layer("Parameter", "opset1", "image", [], (np.uint8, (-1, 1, 28, 28)),
                {"shape": "?,1,28,28", "element_type": "u8"}, "image")
    x = m.layer("Convert", "opset1", "as_float", [x], (f32, (-1, 1, 28, 28)),
                {"destination_type": "f32"})
    scale = m.constant("pixel_scale", network.PIXEL_SCALE.reshape(1, 1, 1, 1))
    x = m.layer("Multiply", "opset1", "scaled", [x, scale], (f32, (-1, 1, 28, 28)),
                {"auto_broadcast": "numpy"})
    for k, channels, size in (("1", 8, 28), ("2", 16, 14)):
        x = export_block(m, parameters, x, k, channels, size)
    pattern = m.constant("flat_shape", np.array([0, -1], np.int64))
    x = m.layer("Reshape", "opset1", "flat", [x, pattern], (f32, (-1, 784)),
                {"special_zero": "true"})
    x = export_dense(m, parameters, x, "1", 32)
    x = m.layer("ReLU", "opset1", "dense1_relu", [x], (f32, (-1, 32)))
    x = export_dense(m, parameters, x, "2", 10)
    x = m.layer("SoftMax", "opset8", "softmax", [x], (f32, (-1, 10)), {"axis": 1},
                "probabilities")
    m.layer("Result", "opset1", "result", [x], None)
    m.write(stem)


def export_block(m, parameters, x, k, channels, size):
    """Convolution, bias, relu, pooling."""
    full, half = (-1, channels, size, size), (-1, channels, size // 2, size // 2)
    weights = m.constant(f"conv{k}_weights", parameters[f"conv{k}_weights"])
    x = m.layer("Convolution", "opset1", f"conv{k}", [x, weights], (np.float32, full),
                {"strides": "1, 1", "dilations": "1, 1", "pads_begin": "1, 1",
                 "pads_end": "1, 1", "auto_pad": "explicit"})
    bias = m.constant(f"conv{k}_bias", parameters[f"conv{k}_bias"].reshape(1, channels, 1, 1))
    x = m.layer("Add", "opset1", f"conv{k}_biased", [x, bias], (np.float32, full),
                {"auto_broadcast": "numpy"})
    x = m.layer("ReLU", "opset1", f"conv{k}_relu", [x], (np.float32, full))
    return m.layer("MaxPool", "opset1", f"pool{k}", [x], (np.float32, half),
                   {"strides": "2, 2", "pads_begin": "0, 0", "pads_end": "0, 0",
                    "kernel": "2, 2", "rounding_type": "floor", "auto_pad": "explicit"})


def export_dense(m, parameters, x, k, units):
    weights = m.constant(f"dense{k}_weights", parameters[f"dense{k}_weights"])
    x = m.layer("MatMul", "opset1", f"dense{k}", [x, weights], (np.float32, (-1, units)),
                {"transpose_a": "false", "transpose_b": "true"})
    bias = m.constant(f"dense{k}_bias", parameters[f"dense{k}_bias"].reshape(1, units))
    return m.layer("Add", "opset1", f"dense{k}_biased", [x, bias], (np.float32, (-1, units)),
                   {"auto_broadcast": "numpy"})


def expected(parameters, pictures):
    """Computed in f64 from the f32 weights, so that it is nobody's rounding."""
    probabilities, _ = network.forward(parameters, pictures, np.float64)
    return probabilities.astype(np.float32)


def one_of_each(seed):
    """Ten pictures for the demonstration: one of each digit, in order."""
    pictures, labels = draw_set(10, seed)
    return pictures[np.argsort(labels)]


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--train", type=int, default=30000, help="pictures to learn from")
    args.add_argument("--epochs", type=int, default=5)
    args.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    args = args.parse_args()

    began = time.time()
    pictures, labels = draw_set(args.train, TRAIN_SEED)
    test_pictures, test_labels = draw_set(400, TEST_SEED)
    print(f"drew {args.train} + 400 pictures in {time.time() - began:.0f} s", flush=True)
    rng = np.random.RandomState(WEIGHTS_SEED)
    for epoch, p in enumerate(network.train(pictures, labels, args.epochs, 50, rng), 1):
        print(f"epoch {epoch}: {time.time() - began:.0f} s, "
              f"seen {network.accuracy(p, pictures[:2000], labels[:2000]):.2%}", flush=True)

    # Looked at once, here: nothing above was chosen by it. The 5000 are for a firmer number.
    print(f"unseen, the 400 of the test set: "
          f"{network.accuracy(p, test_pictures, test_labels):.2%}", flush=True)
    print(f"unseen, 5000 more: {network.accuracy(p, *draw_set(5000, MORE_SEED)):.2%}")
    args.out.mkdir(parents=True, exist_ok=True)
    export(p, args.out / "digits")
    ten = one_of_each(TEN_SEED)
    files = {
        "test_images": test_pictures,
        "test_labels": test_labels,
        "expected": expected(p, test_pictures),
        "ten": ten,
        "ten_expected": expected(p, ten),
    }
    for name, array in files.items():
        np.save(args.out / f"{name}.npy", array)


if __name__ == "__main__":
    main()
