#!/usr/bin/env python3
"""Paints valley.png, the picture that `make demo` heats: a mountain lake at sunrise, made of noise alone.

Run it as `python3 make_valley.py valley.png`; it needs nothing but Python, and paints the same picture every time.
"""
import math
import struct
import sys
import zlib

WIDTH, HEIGHT, HORIZON = 480, 320, 200
SUN = (330.0, 52.0)


def lattice(x, y, seed):
    """A pseudo-random number in [0, 1) for each point with whole coordinates."""
    h = (x * 374761393 + y * 668265263 + seed * 2246822519) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 65536.0


def value_noise(x, y, seed):
    x0, y0 = math.floor(x), math.floor(y)
    u, v = x - x0, y - y0
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = lattice(x0, y0, seed) * (1 - u) + lattice(x0 + 1, y0, seed) * u
    bottom = lattice(x0, y0 + 1, seed) * (1 - u) + lattice(x0 + 1, y0 + 1, seed) * u
    return top * (1 - v) + bottom * v


def fractal(x, y, seed, octaves):
    """A sum of octaves of noise, each twice as fine and half as strong as the one before, which looks like clouds and ridges."""
    total = weight = 0.0
    for octave in range(octaves):
        amplitude = 0.5**octave
        total += amplitude * value_noise(x * 2**octave, y * 2**octave, seed + octave)
        weight += amplitude
    return total / weight


def mix(a, b, t):
    t = min(1.0, max(0.0, t))
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def sky(x, y):
    colour = mix((52, 84, 140), (248, 196, 140), (y / HORIZON) ** 1.6)
    distance = math.hypot(x - SUN[0], y - SUN[1])
    colour = mix(colour, (255, 226, 170), math.exp(-distance / 70) * 0.85)
    cloud = fractal(x / 130, y / 34, 11, 5)
    colour = mix(colour, (255, 214, 190), (cloud - 0.5) * 3.2 * (1 - y / HORIZON))
    return mix(colour, (255, 252, 236), (17.5 - distance) / 2)


# For each ridge: height of its crest above the horizon, roughness, seed, colour in the light, colour in the shade.
RIDGES = [
    (92, 118, 21, (196, 170, 172), (120, 122, 152)),
    (54, 84, 41, (150, 122, 112), (70, 80, 108)),
    (22, 46, 61, (72, 70, 56), (26, 38, 44)),
]
CRESTS = [[HORIZON - height - rough * (fractal(x / (rough * 1.3), 0.5, seed, 6) - 0.5)
           for x in range(WIDTH + 1)] for height, rough, seed, _, _ in RIDGES]


def land_and_sky(x, y):
    colour = sky(x, y)
    for (height, rough, seed, light, shade), crest in zip(RIDGES, CRESTS):
        if y < crest[x] - 0.5:
            continue
        depth = y - crest[x]
        # The slope of smooth noise decides which side of a gully is lit.
        gully = fractal(x / 17 + depth / 29, y / 21, seed + 9, 3) - fractal((x + 4) / 17 + depth / 29, y / 21, seed + 9, 3)
        lit = 0.46 + 2.6 * gully + 1.2 * (crest[x + 1] - crest[x]) * math.exp(-depth / 12) * 0.3
        slope = mix(shade, light, lit)
        if height > 80 and depth < 26 * fractal(x / 9, y / 9, 77, 2):
            slope = mix(slope, (246, 232, 226), 0.35 + lit)
        slope = mix(slope, (214, 184, 170), 0.55 * (height / 100) * math.exp(-(HORIZON - y) / 26))
        colour = mix(colour, slope, crest[x] < y + 0.5 and depth + 0.5)
    return colour


def lake(x, y):
    depth = y - HORIZON
    ripple = (fractal(x / 26, depth * 9 / (6 + depth / 3), 91, 3) - 0.5) * (2 + depth / 6)
    mirrored = land_and_sky(min(WIDTH - 1, max(0, int(x + ripple * 2))), max(0, int(HORIZON - 1 - depth * 1.25 + ripple)))
    colour = mix(mirrored, (24, 42, 66), 0.24 + depth / 420)
    glitter = math.exp(-abs(x - SUN[0]) / (9 + depth / 5)) * value_noise(x / 7, depth * 1.3, 97)
    return mix(colour, (255, 224, 168), (glitter - 0.34) * 2.2)


def png(rows):
    """The bytes of a PNG file. Each row is stored as its difference to the row above or to the pixels on the left."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    filtered, above = [], bytes(3 * WIDTH)
    for row in rows:
        left = bytes((row[i] - (row[i - 3] if i >= 3 else 0)) & 255 for i in range(len(row)))
        up = bytes((a - b) & 255 for a, b in zip(row, above))
        cost = [sum(min(b, 256 - b) for b in candidate) for candidate in (left, up)]
        filtered.append(b"\x01" + left if cost[0] <= cost[1] else b"\x02" + up)
        above = row
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(filtered), 9)) +
            chunk(b"IEND", b""))


def main():
    # Steps of three levels are invisible and keep the file small.
    rows = [bytes(min(255, 3 * round(c / 3)) for x in range(WIDTH)
                  for c in (land_and_sky(x, y) if y < HORIZON else lake(x, y))) for y in range(HEIGHT)]
    with open(sys.argv[1], "wb") as file:
        file.write(png(rows))


if __name__ == "__main__":
    main()
