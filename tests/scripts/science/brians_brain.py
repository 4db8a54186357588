"""Brian's brain, a cellular automaton of three states, drawn frame by frame (T. Toffoli and N. Margolus, Cellular Automata Machines, 1987)."""

import sys

import numpy as np

SIZES = {"bench": (600, 500, 800), "small": (40, 30, 6)}
rows, cols, frames = SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]

np.random.seed(11)
Z = (np.random.rand(rows, cols) < 0.3).astype(np.uint8)   # 0 ready, 1 firing, 2 refractory
M = np.zeros((rows, cols), dtype=np.float32)              # what is drawn
view = Z[1:-1, 1:-1]
history = []


def update(frame):
    global Z, M
    F = (Z == 1).astype(np.uint8)
    N = (F[0:-2, 0:-2] + F[0:-2, 1:-1] + F[0:-2, 2:] +
         F[1:-1, 0:-2] + F[1:-1, 2:] +
         F[2:, 0:-2] + F[2:, 1:-1] + F[2:, 2:])
    birth = (N == 2) & (view == 0)
    dying = view == 1
    resting = view == 2
    view[birth] = 1
    view[dying] = 2
    view[resting] = 0
    M *= 0.9
    M[Z == 1] = 1.0
    if frame % 20 == 0:
        history.append((frame, int((Z == 1).sum())))
    return M


def main():
    for frame in range(frames):
        image = update(frame)
    for frame, firing in history:
        print("%4d %7d" % (frame, firing))
    return dict(Z=Z, M=M, history=np.array(history))


if __name__ == "__main__":
    np.savez(sys.argv[1], **main())
