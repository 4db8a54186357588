"""Cooperators and defectors on a lattice copy whoever does best (M. Nowak and R. May, Nature 359, 1992)."""

import sys

import numpy as np

SIZES = {"bench": (300, 60), "small": (19, 6)}

def play(S, b):
    """The sum of the payoffs against the eight neighbours and oneself."""
    n = S.shape[0]
    payoff = np.zeros(S.shape)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            other = np.roll(S, (dx, dy), (0, 1))
            payoff += np.where(other == 1, np.where(S == 1, 1.0, b), 0.0)
    return payoff

def imitate(S, payoff):
    best = payoff.copy()
    new = S.copy()
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx == dy == 0: continue
            p = np.roll(payoff, (dx, dy), (0, 1)); s = np.roll(S, (dx, dy), (0, 1))
            better = p > best
            best[better] = p[better]; new[better] = s[better]
    return new

def main(n, generations, b=1.85):
    S = np.ones((n, n), dtype=int)
    S[n // 2, n // 2] = 0
    S[np.random.RandomState(92).rand(n, n) < 0.05] = 0
    share, changed = [], []
    for g in range(generations):
        new = imitate(S, play(S, b))
        changed.append(np.sum(new != S)); share.append(np.mean(new))
        S = new
        if changed[-1] == 0:
            break
        if g % 20 == 0: print("generation", g, "cooperators %.4f" % share[-1])
    return dict(S=S, share=np.array(share), changed=np.array(changed))

if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
