"""The likeliest states of a hidden Markov model: a row of scores a trip, then the way back (Viterbi)."""

import numpy as np

ENTRY = "viterbi"
SIZES = {"bench": (6_000, 8), "small": (25, 3)}


def viterbi(obs, start, trans, emit):
    n, states = len(obs), len(start)
    log_trans, log_emit = np.log(trans), np.log(emit)
    score = np.log(start) + log_emit[:, obs[0]]
    back = np.zeros((n, states), dtype=np.int64)
    for t in range(1, n):
        best = np.zeros(states)
        for j in range(states):
            reached = score + log_trans[:, j]
            back[t, j] = np.argmax(reached)
            best[j] = reached[back[t, j]] + log_emit[j, obs[t]]
        score = best
    path = np.zeros(n, dtype=np.int64)
    path[-1] = np.argmax(score)
    for t in range(n - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path, score


def setup(n, states):
    rng = np.random.default_rng(1967)
    trans = rng.random((states, states)) + 0.1
    emit = rng.random((states, 6)) + 0.1
    obs = rng.integers(0, 6, n)
    return obs, np.full(states, 1 / states), trans / trans.sum(1)[:, None], emit / emit.sum(1)[:, None]
