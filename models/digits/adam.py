"""Adam (Kingma and Ba, 2015): how parameters follow their gradients."""

import numpy as np


class Adam:
    """KEPT and TAKEN, together 1: how much of the mean square stays, and how much is new."""

    def __init__(self, parameters, kept=0.999, taken=0.001):
        self.mean = {k: np.zeros_like(v) for k, v in parameters.items()}
        self.square = {k: np.zeros_like(v) for k, v in parameters.items()}
        self.kept, self.taken = kept, taken
        self.steps = 0

    def step(self, parameters, gradients, rate):
        self.steps += 1
        for k, g in gradients.items():
            self.mean[k] = 0.9 * self.mean[k] + 0.1 * g
            self.square[k] = self.kept * self.square[k] + self.taken * g * g
            mean = self.mean[k] / (1 - 0.9**self.steps)
            square = self.square[k] / (1 - self.kept**self.steps)
            parameters[k] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
