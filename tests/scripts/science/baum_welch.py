"""A hidden Markov model learned from its output (L. R. Rabiner, Proc. IEEE 77, 1989), forward and backward, scaled."""

import sys

import numpy as np

SIZES = {"bench": (20000, 6, 8, 6), "small": (40, 3, 4, 3)}


def forward(A, B, pi, obs):
    T, N = len(obs), len(pi)
    alpha = np.zeros((T, N))
    scale = np.zeros(T)
    alpha[0] = pi * B[:, obs[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, T):
        alpha[t] = alpha[t - 1].dot(A) * B[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, scale


def backward(A, B, obs, scale):
    T, N = len(obs), A.shape[0]
    beta = np.ones((T, N))
    for t in range(T - 2, -1, -1):
        beta[t] = A.dot(B[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
    return beta


def main(T, N, M, rounds):
    rng = np.random.default_rng(1989)
    obs = np.cumsum(rng.integers(0, 3, T)) % M
    A = rng.random((N, N)); A /= A.sum(axis=1, keepdims=True)
    B = rng.random((N, M)); B /= B.sum(axis=1, keepdims=True)
    pi = np.ones(N) / N
    logs = []
    for k in range(rounds):
        alpha, scale = forward(A, B, pi, obs)
        beta = backward(A, B, obs, scale)
        logs.append(np.log(scale).sum())
        gamma = alpha * beta
        xi = np.zeros((N, N))
        for t in range(T - 1):
            xi += alpha[t][:, None] * A * B[:, obs[t + 1]] * beta[t + 1] / scale[t + 1]
        A = xi / gamma[:-1].sum(axis=0)[:, None]
        for m in range(M):
            B[:, m] = gamma[obs == m].sum(axis=0) / gamma.sum(axis=0)
        pi = gamma[0]
        print("round", k, "log-likelihood %.4f" % logs[-1])
    return dict(A=A, B=B, logs=np.array(logs))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
