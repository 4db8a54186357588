"""The forward algorithm and Viterbi's: each row of a table is computed from the one before."""

import numpy as np
import numpy.typing as npt


def forward(obs: npt.NDArray[np.int64], states: int, seed: int):
    rng = np.random.default_rng(seed)
    trans = rng.random((states, states))
    emit = rng.random((states, 5))
    alpha = np.zeros((len(obs), states))
    scale = np.ones(len(obs))
    alpha[0] = 1 / states
    for t in range(1, len(obs)):
        alpha[t] = (alpha[t - 1] @ trans) * emit[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, scale


def viterbi(obs: npt.NDArray[np.int64], states: int, seed: int):
    rng = np.random.default_rng(seed)
    trans = rng.random((states, states))
    emit = rng.random((states, 5))
    delta = np.zeros((len(obs), states))
    psi = np.zeros((len(obs), states), dtype=np.int64)
    for t in range(1, len(obs)):
        for j in range(states):
            scores = delta[t - 1] + trans[:, j]
            psi[t, j] = np.argmax(scores)
            delta[t, j] = scores[psi[t, j]] + emit[j, obs[t]]
    return delta, psi


def best(obs: npt.NDArray[np.int64], states: int, seed: int):
    rng = np.random.default_rng(seed)
    trans = rng.random((states, states))
    emit = rng.random((states, 5))
    delta = np.zeros((len(obs), states))
    for t in range(1, len(obs)):
        delta[t] = np.max(delta[t - 1][:, None] + trans, axis=0) + emit[:, obs[t]]
    return delta


def cases():
    obs = np.array([0, 3, 1, 4, 4, 2, 0, 1])
    for name in ("forward", "viterbi", "best"):
        for states in (1, 3, 12):
            yield name, (obs, states, 7)
    yield "best", (obs[:0], 2, 7)
    yield "forward", (obs[:0], 2, 7), IndexError
    yield "best", (np.array([0, 1, 5]), 3, 7), IndexError
