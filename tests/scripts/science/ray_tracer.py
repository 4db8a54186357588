"""Mirrors and shadows of spheres, all rays at once (T. Whitted, Commun. ACM 23, 1980); a scene of objects."""

import sys

import numpy as np

SIZES = {"bench": (1200, 900, 3), "small": (20, 15, 2)}
FARAWAY = 1.0e39


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def norm(a):
    mag = np.sqrt(dot(a, a))
    return a / np.where(mag == 0, 1, mag)


class Sphere:
    def __init__(self, center, radius, colour, mirror=0.5):
        self.c = np.array(center, dtype=float).reshape(3, 1)
        self.r = radius
        self.colour = np.array(colour, dtype=float).reshape(3, 1)
        self.mirror = mirror

    def intersect(self, O, D):
        b = 2 * dot(D, O - self.c)
        c = dot(self.c, self.c) + dot(O, O) - 2 * dot(self.c, O) - self.r * self.r
        disc = b**2 - 4 * c
        sq = np.sqrt(np.maximum(0, disc))
        h0, h1 = (-b - sq) / 2, (-b + sq) / 2
        h = np.where((h0 > 0) & (h0 < h1), h0, h1)
        return np.where((disc > 0) & (h > 0), h, FARAWAY)

    def diffuse(self, M):
        return self.colour


class Checkered(Sphere):
    def diffuse(self, M):
        checker = ((M[0] * 2).astype(int) % 2) == ((M[2] * 2).astype(int) % 2)
        return self.colour * checker


def raytrace(O, D, scene, light, eye, bounce):
    distances = [s.intersect(O, D) for s in scene]
    nearest = np.minimum.reduce(distances)
    colour = np.zeros_like(D)
    for s, d in zip(scene, distances):
        hit = (nearest != FARAWAY) & (d == nearest)
        if not np.any(hit):
            continue
        dc = d[hit]
        Oc = O[:, hit] if O.shape[1] > 1 else np.repeat(O, hit.sum(), axis=1)
        Dc = D[:, hit]
        M = Oc + Dc * dc
        N = (M - s.c) / s.r
        toL = norm(light - M)
        toO = norm(eye - M)
        nudged = M + N * 0.0001
        shadow = [t.intersect(nudged, toL) for t in scene]
        seelight = shadow[scene.index(s)] == np.minimum.reduce(shadow)
        cc = 0.05 + s.diffuse(M) * np.maximum(dot(N, toL), 0) * seelight
        if bounce > 0:
            rayD = norm(Dc - N * 2 * dot(Dc, N))
            cc = cc + raytrace(nudged, rayD, scene, light, eye, bounce - 1) * s.mirror
        phong = dot(N, norm(toL + toO))
        cc = cc + np.power(np.clip(phong, 0, 1), 50) * seelight
        colour[:, hit] += cc
    return colour


def main(w, h, bounces):
    scene = [Sphere((.75, .1, 1.), .6, (0, 0, 1)), Sphere((-.75, .1, 2.25), .6, (.5, .223, .5)),
             Sphere((-2.75, .1, 3.5), .6, (1., .572, .184)), Checkered((0, -99999.5, 0), 99999, (.75, .75, .75), 0.25)]
    eye = np.array([0., 0.35, -1.]).reshape(3, 1)
    light = np.array([5., 5., -10.]).reshape(3, 1)
    r = float(w) / h
    x = np.tile(np.linspace(-1, 1, w), h)
    y = np.repeat(np.linspace(1 / r + .25, -1 / r + .25, h), w)
    D = norm(np.stack([x, y, np.zeros_like(x)]) - eye)
    colour = raytrace(eye, D, scene, light, eye, bounces)
    image = (255 * np.clip(colour, 0, 1).reshape(3, h, w)).astype(np.uint8)
    print("mean colour", image.mean(axis=(1, 2)))
    return dict(image=image)


if __name__ == "__main__":
    np.savez(sys.argv[1], **main(*SIZES[sys.argv[2] if len(sys.argv) > 2 else "bench"]))
