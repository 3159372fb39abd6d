#!/usr/bin/env python3
"""Draws the figures of docs/solvers/procedural.md into docs/solvers/: what h does to one pull, what it does to a dragged rod in
steps of different length, and what k of the damped Verlet scheme keeps. From the formulas of
src/armature/solvers/procedural/compulsive.h; needs nothing but Python."""
import math
import os

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 340, 64, 190, 36, 46
COLOURS = ["#1f6fb4", "#d1542b", "#3a9a4b", "#8a5bb0", "#b08a2e", "#555555"]


def ticks(low, high):
    step = 10 ** math.floor(math.log10((high - low) / 4))
    for factor in (1, 2, 5, 10):
        if (high - low) / (factor * step) <= 6:
            step *= factor
            break
    k = math.ceil(low / step - 1e-9)
    while k * step <= high + 1e-9:
        yield k * step
        k += 1


def plot(name, title, x_label, y_label, curves, dashed=()):
    xs = [x for _, points in curves for x, _ in points]
    ys = [y for _, points in curves for _, y in points]
    x0, x1, y0, y1 = min(xs), max(xs), min(0, min(ys)), max(ys) * 1.05
    px = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    py = lambda y: HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="20" font-size="14" fill="#222">{title}</text>']
    for x in ticks(x0, x1):
        out.append(f'<path d="M{px(x):.1f} {py(y0):.1f}V{py(y1):.1f}" stroke="#eee"/>'
                   f'<text x="{px(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" fill="#444">{x:g}</text>')
    for y in ticks(y0, y1):
        out.append(f'<path d="M{px(x0):.1f} {py(y):.1f}H{px(x1):.1f}" stroke="#eee"/>'
                   f'<text x="{LEFT - 6}" y="{py(y) + 4:.1f}" text-anchor="end" fill="#444">{y:g}</text>')
    out.append(f'<text x="{(px(x0) + px(x1)) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle" fill="#222">{x_label}</text>')
    out.append(f'<text transform="translate(16 {(py(y0) + py(y1)) / 2:.1f}) rotate(-90)" text-anchor="middle" '
               f'fill="#222">{y_label}</text>')
    for k, (label, points) in enumerate(curves):
        colour = COLOURS[k % len(COLOURS)]
        dash = ' stroke-dasharray="6 4"' if label in dashed else ""
        path = "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        at = TOP + 16 + 20 * k
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {at - 4}h22" stroke="{colour}" stroke-width="2"{dash}/>'
                   f'<text x="{WIDTH - RIGHT + 40}" y="{at}" fill="#222">{label}</text>')
    out.append("</svg>\n")
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "solvers")
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def following(arm, angle, s):
    """The turn ψ = angle(a, a + s) for a pull s at `angle` to the arm."""
    return math.atan2(s * math.sin(angle), arm + s * math.cos(angle))


def ruled(r, angle, s, h):
    return angle * math.exp(-h / (r * s)) if s > 0 else 0


def one_pull():
    """A rod of 1 m, pulled at its end across itself."""
    r, reach, phi = 0.5, 4 / 3, math.pi / 2
    pulls = [k * 0.01 for k in range(0, 201)]
    curves = [(f"h = {h:g} m²", [(s, math.degrees(ruled(r, phi, s, h))) for s in pulls]) for h in (0.01, 0.1, 0.5, 2)]
    curves.append(("by the lengths", [(s, math.degrees(following(reach * r, phi, s))) for s in pulls]))
    plot("procedural_h.svg", "One pull across a rod of 1 m", "pull |s| (m)", "turn θ (degrees)", curves, {"by the lengths"})


def many_pulls():
    """The same rod, its end led 1 m across in steps of different length; gravity and inertia left out."""
    curves = []
    for label, h in (("h = 0.01 m²", 0.01), ("h = 0.1 m²", 0.1), ("by the lengths", None)):
        points = []
        for steps in range(2, 121):
            angle = 0.0  # of the arm, from its first direction
            for _ in range(steps):
                phi, s = math.pi / 2 - angle, 1 / steps
                angle += following(4 / 3 * 0.5, phi, s) if h is None else ruled(0.5, phi, s, h)
            points.append((steps, math.degrees(angle)))
        curves.append((label, points))
    exact = math.degrees(2 * math.atan(math.tanh(1 / (2 * 4 / 3 * 0.5))))
    curves.append(("tractrix", [(2, exact), (120, exact)]))
    plot("procedural_steps.svg", "The end of the rod led 1 m across, in n steps", "steps", "turned in all (degrees)", curves,
         {"tractrix"})


def keep():
    """x_new = x + k (x − x_last): what is left of a speed of 1 m/s, k per frame of 1/60 s."""
    frames = range(0, 121)
    curves = [(f"k = {k:g}", [(f / 60, k**f) for f in frames]) for k in (1, 0.99, 0.97, 0.9, 0.5, 0)]
    plot("procedural_k.svg", "Speed that is kept", "time (s)", "share of the speed", curves)


if __name__ == "__main__":
    one_pull()
    many_pulls()
    keep()
