"""Least squares by Adam with mini-batches taken in order, the state kept in an object."""

import numpy as np

ENTRY = "Adam.step"
RUN = "fit"
SIZES = {"bench": (20_000, 400, 500, 10), "small": (40, 5, 10, 2)}


class Adam:
    def __init__(self, size, lr=1e-2, beta1=0.9, beta2=0.999, eps=1e-8):
        self.m = np.zeros(size)
        self.v = np.zeros(size)
        self.lr, self.beta1, self.beta2, self.eps = lr, beta1, beta2, eps
        self.t = 0

    def step(self, w, X, y):
        error = X @ w - y
        grad = 2 * X.T @ error / len(y)
        self.t += 1
        self.m = self.beta1 * self.m + (1 - self.beta1) * grad
        self.v = self.beta2 * self.v + (1 - self.beta2) * grad**2
        m_hat = self.m / (1 - self.beta1**self.t)
        v_hat = self.v / (1 - self.beta2**self.t)
        w -= self.lr * m_hat / (np.sqrt(v_hat) + self.eps)
        return np.mean(error**2)


def fit(X, y, batch, epochs):
    w = np.zeros(X.shape[1])
    adam = Adam(w.size)
    history = []
    for _ in range(epochs):
        for start in range(0, len(y), batch):
            history.append(adam.step(w, X[start : start + batch], y[start : start + batch]))
    return w, history


def setup(n, d, batch, epochs):
    rng = np.random.default_rng(124)
    X = rng.standard_normal((n, d))
    return X, X @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n), batch, epochs
