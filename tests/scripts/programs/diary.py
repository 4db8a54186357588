"""A cooling rod that keeps a diary: prints, snapshots, a stop when it is even, another dtype."""

import sys
import time

import numpy as np

if len(sys.argv) < 2:
    sys.exit("usage: diary.py FILE")

N, STEPS = 40_000, 60
x, dx = np.linspace(0.0, 1.0, N, retstep=True)
T = np.sin(3 * np.pi * x) + 0.5
Tn = np.empty_like(T)
snapshots, residuals = [], []
started = time.perf_counter()
for step in range(STEPS):
    Tn[:] = T
    T[1:-1] = Tn[1:-1] + 0.25 * (Tn[2:] - 2 * Tn[1:-1] + Tn[:-2])
    T[0], T[-1] = 0.0, T[-2]
    if step % 20 == 0:
        snapshots.append(T.copy())
        print(f"{step:4d} {T.max():.3f}")
    change = np.abs(T - Tn).max()
    residuals.append(change)
    if change < 1e-9:
        break
else:
    print("never even")

old = T
T = T.astype(np.float32)
for _ in range(5):
    T = T * 0.5 + T.mean()
old += 1

mean = 0
for t in np.arange(0, 1, 0.25):
    mean += (T * np.exp(-t)).mean()

total, k = 0.0, 0
while total < 1.5 and k < 100:
    total += float(np.abs(T).max()) * 0.1
    k += 1

grid = np.zeros((60, 80))
for i in range(1, 59):
    for j in range(1, 79):
        grid[i, j] = 0.25 * (grid[i - 1, j] + grid[i, j - 1] + i * j % 7)

for step in range(0):
    T = T * 2
print("elapsed", time.perf_counter() - started > 0)
np.savez(
    sys.argv[1],
    T=T,
    old=old,
    snapshots=snapshots,
    residuals=residuals,
    step=step,
    mean=mean,
    total=total,
    k=k,
    grid=grid,
    t=t,
    i=i,
    j=j,
)
