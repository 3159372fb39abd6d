#!/usr/bin/env python3
"""Draws the pictures of docs/joints.md into docs/joints/: one small SVG per joint of the library and per domain.

Object 1 is orange, object 2 blue; dashed lines are the axes of the joint, red arrows its freedoms by name. Solids are drawn
from back to front in the order they are given; every shape is convex, so its outline is the hull of its projected points.
Needs nothing but Python."""
import math
import os

WIDTH, HEIGHT, SCALE = 260, 190, 34
ONE = ("#f6c177", "#e89c3f", "#c97a1e")  # lit, plain, shaded
TWO = ("#c3d3e6", "#9db5d1", "#7792b3")
GREY = ("#e4e4e4", "#c4c4c4", "#9a9a9a")
INK, RED = "#333333", "#c01c28"


# ---- vectors and the camera -------------------------------------------------------------------------------------------
def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def mul(s, a):
    return tuple(s * x for x in a)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return mul(1 / math.sqrt(dot(a, a)), a)


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
YAW, PITCH = math.radians(-28), math.radians(24)
RIGHT = (math.cos(YAW), 0, math.sin(YAW))
BACK = (math.sin(YAW) * -math.cos(PITCH), math.sin(PITCH), math.cos(YAW) * math.cos(PITCH))  # towards the eye
UP = cross(BACK, RIGHT)


def flat(p):
    return (dot(p, RIGHT) * SCALE, -dot(p, UP) * SCALE)


def hull(points):
    points = sorted(set((round(x, 3), round(y, 3)) for x, y in points))
    sides = []
    for order in (points, points[::-1]):
        chain = []
        for p in order:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(p)
        sides += chain[:-1]
    return sides


# ---- a picture --------------------------------------------------------------------------------------------------------
class Picture:
    def __init__(self, title, centre=(0, 0, 0)):
        self.title, self.parts = title, []
        cx, cy = flat(centre)
        self.shift = (WIDTH / 2 - cx, HEIGHT / 2 - cy)

    def at(self, p):
        x, y = flat(p)
        return (x + self.shift[0], y + self.shift[1])

    def polygon(self, points, fill, stroke=INK, opacity=1, width=1):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        see = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        self.parts.append(
            f'<polygon points="{text}" fill="{fill}"{see} stroke="{stroke}" stroke-width="{width}" '
            'stroke-linejoin="round"/>')

    def path(self, points, stroke, width=1.0, dash=None):
        text = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<path d="{text}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"'
            f'{dashes}/>')

    def box(self, centre, size, colour, axes=(X, Y, Z), opacity=1):
        half = [mul(s / 2, a) for s, a in zip(size, axes)]
        # The three faces towards the eye, with a shade each: from above, from the front, from the side.
        for n, shade in ((1, 0), (2, 1), (0, 2)):
            h, (u, v) = half[n], [half[m] for m in range(3) if m != n]
            side = 1 if dot(h, BACK) > 0 else -1
            middle = add(centre, mul(side, h))
            corners = [add(middle, add(mul(a, u), mul(b, v))) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
            self.polygon([self.at(c) for c in corners], colour[shade], opacity=opacity)

    def cylinder(self, start, end, radius, colour, opacity=1):
        axis = unit(add(end, mul(-1, start)))
        rings = [[self.at(p) for p in circle(c, axis, radius)] for c in (start, end)]
        self.polygon(hull(rings[0] + rings[1]), colour[1], opacity=opacity)
        self.polygon(rings[1 if dot(axis, BACK) > 0 else 0], colour[0], opacity=opacity)

    def ball(self, centre, radius, colour):
        x, y = self.at(centre)
        r = radius * SCALE
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour[1]}" stroke="{INK}"/>')
        self.parts.append(
            f'<circle cx="{x - 0.3 * r:.1f}" cy="{y - 0.35 * r:.1f}" r="{0.35 * r:.1f}" fill="{colour[0]}"/>')

    def axis(self, start, end, name, offset=(6, -3)):
        self.path([self.at(start), self.at(end)], INK, 1, "5 3")
        self.head(self.at(start), self.at(end), INK, 5)
        self.text(end, name, INK, offset, style="italic")

    def slide(self, start, end, name, offset=(4, -4), anchor="start"):
        a, b = self.at(start), self.at(end)
        self.path([a, b], RED, 2)
        self.head(a, b, RED)
        self.head(b, a, RED)
        self.text(end, name, RED, offset, anchor)

    def turn(self, centre, axis, radius, begin, end, name, offset=(4, -4), anchor="start", zero=None):
        """An arrow about an axis, from one angle to another in degrees."""
        points = [self.at(p) for p in circle(centre, axis, radius, begin, end, zero)]
        self.path(points, RED, 2)
        self.head(points[-3], points[-1], RED)
        self.label(points[-1], name, RED, offset, anchor)

    def head(self, before, tip, colour, size=7):
        dx, dy = tip[0] - before[0], tip[1] - before[1]
        n = math.hypot(dx, dy) or 1
        dx, dy = dx / n, dy / n
        wing = [(tip[0] - size * dx + s * 0.45 * size * dy, tip[1] - size * dy - s * 0.45 * size * dx) for s in (1, -1)]
        tip = (tip[0] + 1.5 * dx, tip[1] + 1.5 * dy)
        self.parts.append('<polygon points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *wing)) +
                          f'" fill="{colour}"/>')

    def text(self, p, text, colour, offset=(0, 0), anchor="start", style="normal"):
        self.label(self.at(p), text, colour, offset, anchor, style)

    def label(self, xy, text, colour, offset=(0, 0), anchor="start", style="normal"):
        self.parts.append(
            f'<text x="{xy[0] + offset[0]:.1f}" y="{xy[1] + offset[1]:.1f}" fill="{colour}" text-anchor="{anchor}" '
            f'font-style="{style}" stroke="#ffffff" stroke-opacity="0.8" stroke-width="3" paint-order="stroke">{text}</text>')

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">\n'
                f'<title>{self.title}</title>\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff"/>\n' + "\n".join(self.parts) +
                "\n</svg>\n")


def circle(centre, axis, radius, begin=0, end=360, zero=None):
    u = unit(zero) if zero else unit(cross(axis, X if abs(axis[0]) < 0.7 else Y))
    v = cross(axis, u)
    n = max(8, int(abs(end - begin) / 8))
    angles = [math.radians(begin + (end - begin) * i / n) for i in range(n + 1)]
    return [add(centre, add(mul(radius * math.cos(a), u), mul(radius * math.sin(a), v))) for a in angles]


# ---- the joints -------------------------------------------------------------------------------------------------------
def embedding():
    p = Picture("embedding: nothing is free")
    p.box((-1.2, 0, 0), (2, 1.6, 1.6), TWO)
    p.box((1.3, 0, 0), (3, 0.7, 0.7), ONE)
    return p


def pin():
    p = Picture("pin: turns about its axis", (0.2, 0.6, 0))
    p.box((-1.9, 0, 0), (0.6, 1.8, 1.8), TWO)
    p.axis((-1.6, 0, 0), (3.3, 0, 0), "i")
    p.cylinder((-1.6, 0, 0), (0, 0, 0), 0.3, TWO)
    p.cylinder((0, 0, 0), (0.7, 0, 0), 0.6, ONE)
    p.box((0.35, 1.4, 0), (0.5, 2, 0.6), ONE)
    p.cylinder((0.7, 0, 0), (1.2, 0, 0), 0.3, TWO)
    p.turn((1.9, 0, 0), X, 0.9, -60, 200, "turn", (-6, -8), "end", zero=Z)
    return p


def sliding():
    p = Picture("sliding: slides along its axis", (0, 0.3, 0))
    p.box((-1.55, 0, 0), (2.1, 0.7, 0.7), TWO)
    p.box((0.1, 0, 0), (1.2, 1.5, 1.5), ONE)
    p.box((1.75, 0, 0), (2.1, 0.7, 0.7), TWO)
    p.axis((2.8, 0, 0), (3.6, 0, 0), "i")
    p.slide((-0.9, 1.3, 0), (1.5, 1.3, 0), "slide")
    return p


def screw():
    p = Picture("screw: slides by the pitch in every turn", (0, 0.2, 0))
    p.cylinder((-2.8, 0, 0), (-0.4, 0, 0), 0.42, TWO)
    threads(p, -2.7, -0.6)
    p.cylinder((-0.5, 0, 0), (0.6, 0, 0), 0.95, ONE)
    p.cylinder((0.6, 0, 0), (2.6, 0, 0), 0.42, TWO)
    threads(p, 0.75, 2.45)
    p.axis((2.6, 0, 0), (3.4, 0, 0), "i")
    p.slide((-1, 1.5, 0), (1.3, 1.5, 0), "slide")
    p.turn((-1.3, 0, 0), X, 0.95, -50, 190, "turn", (-4, -8), "end", zero=Z)
    return p


def threads(p, start, end):
    at = start
    while at < end:
        towards = unit(add(BACK, mul(-dot(BACK, X), X)))
        over = cross(X, towards)
        pts = []
        for k in range(19):  # the half of a turn that faces the eye
            a = math.radians(90 - 10 * k)
            radial = add(mul(math.cos(a), towards), mul(math.sin(a), over))
            pts.append(p.at(add((at + 0.2 * k / 18, 0, 0), mul(0.42, radial))))
        p.path(pts, "#4f6b8f", 1.4)
        at += 0.27


def cylindrical():
    p = Picture("cylindrical: turns about its axis and slides along it", (0, 0.5, 0))
    p.cylinder((-2.8, 0, 0), (-0.4, 0, 0), 0.42, TWO)
    p.box((0.05, 1.2, 0), (0.6, 1.2, 0.5), ONE)
    p.cylinder((-0.5, 0, 0), (0.6, 0, 0), 0.8, ONE)
    p.cylinder((0.6, 0, 0), (2.6, 0, 0), 0.42, TWO)
    p.axis((2.6, 0, 0), (3.4, 0, 0), "i")
    p.slide((-1, 2.1, 0), (1.3, 2.1, 0), "slide")
    p.turn((-1.3, 0, 0), X, 0.95, -50, 190, "turn", (-4, -8), "end", zero=Z)
    return p


def slab(p):
    p.box((0, -0.25, 0), (5, 0.5, 4), TWO)


def plane_on_plane():
    p = Picture("plane on plane: slides both ways and turns about the normal", (0, 0.7, 0))
    slab(p)
    p.box((0, 0.3, 0), (1.8, 0.6, 1.4), ONE)
    p.axis((0, 0.6, 0), (0, 2.6, 0), "i")
    p.slide((1.2, 0, 0), (2.4, 0, 0), "slide1", (2, -6))
    p.slide((0, 0, 1), (0, 0, 1.9), "slide2", (-6, 14), "end")
    p.turn((0, 1.4, 0), Y, 0.8, -70, 170, "turn", (-6, -4), "end", zero=X)
    return p


def ball():
    p = Picture("ball: turns as it likes about a point", (0.3, 0.6, 0))
    p.box((-0.6, -1.35, 0), (2, 0.5, 2), TWO)
    p.cylinder((-0.6, -1.1, 0), (-0.6, -0.3, 0), 0.62, TWO)
    lean = unit((0.55, 1, 0))
    p.axis((-0.6, 0, 0), (-0.6, 2.9, 0), "i2")
    p.cylinder(add((-0.6, 0, 0), mul(0.5, lean)), add((-0.6, 0, 0), mul(2.1, lean)), 0.22, ONE)
    p.ball((-0.6, 0, 0), 0.62, ONE)
    p.cylinder(add((-0.6, 0, 0), mul(0.5, lean)), add((-0.6, 0, 0), mul(2.1, lean)), 0.22, ONE)
    p.axis(add((-0.6, 0, 0), mul(2.1, lean)), add((-0.6, 0, 0), mul(3.1, lean)), "i1")
    p.turn((-0.6, 0, 0), mul(-1, Z), 2.5, 2, 27, "swing", (14, 12), "start", zero=Y)
    p.turn(add((-0.6, 0, 0), mul(1.5, lean)), lean, 0.65, -70, 190, "twist", (14, 22), "start", zero=Z)
    return p


def universal():
    p = Picture("universal: turns about the two arms of a cross", (0, 0.1, 0))
    # Object 2 holds the arm along i (z here), object 1 the arm along j (y here); shafts along x.
    p.box((-2.3, 0, 0), (1.4, 0.7, 0.7), TWO)
    p.box((-1.5, 0, 0), (0.4, 0.7, 2.2), TWO)
    p.box((-0.55, 0, -0.95), (1.7, 0.7, 0.3), TWO)
    p.box((0.55, -0.95, 0), (1.7, 0.3, 0.7), ONE)
    p.cylinder((0, 0, -0.8), (0, 0, 1.2), 0.2, GREY)
    p.cylinder((0, -0.8, 0), (0, 0.8, 0), 0.2, GREY)
    p.box((-0.55, 0, 0.95), (1.7, 0.7, 0.3), TWO)
    p.cylinder((0, 0, 1.1), (0, 0, 1.3), 0.2, GREY)
    p.box((1.5, 0, 0), (0.4, 2.2, 0.7), ONE)
    p.box((2.3, 0, 0), (1.4, 0.7, 0.7), ONE)
    p.box((0.55, 0.95, 0), (1.7, 0.3, 0.7), ONE)
    p.cylinder((0, 1.1, 0), (0, 1.3, 0), 0.2, GREY)
    p.axis((0, 0, 1.3), (0, 0, 3.4), "i2", (-16, 6))
    p.axis((0, 1.3, 0), (0, 2.3, 0), "j1")
    p.turn((0, 0, 2.4), Z, 0.6, 150, -110 + 510, "turn1", (-4, 50), "start", zero=X)
    p.turn((0, 1.75, 0), Y, 0.55, -60, 200, "turn2", (-6, -4), "end", zero=X)
    return p


def cylinder_on_plane():
    p = Picture("cylinder on plane: rolls, slides and turns about the normal", (0, 0.8, 0))
    slab(p)
    p.cylinder((0, 0.7, -1), (0, 0.7, 1), 0.7, ONE)
    p.axis((0, 0.7, 1), (0, 0.7, 3.3), "j1", (-18, 4))
    p.axis((0, 1.4, 0), (0, 2.8, 0), "i2")
    p.slide((1.2, 0, -0.9), (2.3, 0, -0.9), "slide2", (2, -6))
    p.slide((1.7, 0, 0.5), (1.7, 0, 1.6), "slide1", (4, 10))
    p.turn((0, 2, 0), Y, 0.75, -70, 170, "turn", (-6, -4), "end", zero=X)
    p.turn((0, 0.7, 2.1), Z, 0.6, 100, 350, "roll", (8, 2), "start", zero=X)
    return p


def ball_in_cylinder():
    p = Picture("ball in cylinder: a point slides along a line and turns as it likes", (0.1, 0.5, 0))
    p.ball((0, 0, 0), 0.55, ONE)
    p.cylinder((-2.5, 0, 0), (2.4, 0, 0), 0.62, TWO, opacity=0.55)
    lean = unit((0.35, 1, 0))
    p.cylinder(mul(0.5, lean), mul(2, lean), 0.2, ONE)
    p.axis((2.4, 0, 0), (3.3, 0, 0), "i2")
    p.slide((-1.2, -1.1, 0), (0.8, -1.1, 0), "slide", (6, 8))
    p.turn(mul(1.6, lean), lean, 0.55, -70, 190, "twist", (-36, 6), "end", zero=Z)
    p.axis(mul(2, lean), mul(2.8, lean), "i1")
    p.turn((0, 0, 0), Z, 2.35, 14, 66, "", zero=X)
    p.text((1.8, 1.6, 0), "swing", RED, (4, -4))
    return p


def ball_on_plane():
    p = Picture("ball on plane: a point stays in a plane and turns as it likes", (0, 0.9, 0))
    slab(p)
    lean = unit((0.5, 1, 0))
    p.axis((-0.4, 0, 0), (-0.4, 2.9, 0), "i2")
    p.ball((-0.4, 0.3, 0), 0.5, ONE)
    p.cylinder(add((-0.4, 0.3, 0), mul(0.42, lean)), add((-0.4, 0.3, 0), mul(1.9, lean)), 0.2, ONE)
    p.slide((1.0, 0, 0.3), (2.2, 0, 0.3), "slide1", (4, -6))
    p.slide((-0.4, 0, 0.8), (-0.4, 0, 1.8), "slide2", (-6, 14), "end")
    p.turn((-0.4, 0.3, 0), mul(-1, Z), 2.2, 2, 24, "swing", (8, -8), "start", zero=Y)
    p.turn(add((-0.4, 0.3, 0), mul(1.3, lean)), lean, 0.55, -70, 190, "twist", (14, 16), "start", zero=Z)
    return p


def flying():
    p = Picture("flying: nothing is held", (0.2, 0.2, 0))
    p.box((-2, -0.9, 0), (1.6, 1, 1.4), TWO)
    p.path([p.at((-2, -0.4, 0)), p.at((1, 0.2, 0))], INK, 1, "2 3")
    p.box((1, 0.2, 0), (1.3, 1.1, 1.1), ONE)
    p.slide((1.9, 0.2, 0), (3, 0.2, 0), "slide1", (0, -10), "middle")
    p.slide((1, 1, 0), (1, 2, 0), "slide2", (6, 2))
    p.slide((1, 0.2, 0.8), (1, 0.2, 1.9), "slide3", (-6, 6), "end")
    p.turn((1, -0.95, 0), Y, 0.9, -200, 30, "swing, twist", (-30, 32), "middle", zero=X)
    return p


# ---- the domains ------------------------------------------------------------------------------------------------------
def catmull_rom(points, per_piece=16):
    """As model/domain/curve.h says: centripetal, an open end runs on by reflection."""
    sub = lambda a, b: add(a, mul(-1, b))
    ends = [sub(mul(2, points[0]), points[1])] + points + [sub(mul(2, points[-1]), points[-2])]
    curve = []
    for i in range(len(points) - 1):
        P = ends[i:i + 4]
        t = [0]
        for a, b in zip(P, P[1:]):
            t.append(t[-1] + math.sqrt(math.sqrt(dot(sub(b, a), sub(b, a)))))
        mix = lambda a, b, j, k, x: mul(1 / (t[k] - t[j]), add(mul(t[k] - x, a), mul(x - t[j], b)))
        for n in range(per_piece + 1):
            x = t[1] + (t[2] - t[1]) * n / per_piece
            A = [mix(P[k], P[k + 1], k, k + 1, x) for k in range(3)]
            B = [mix(A[k], A[k + 1], k, k + 2, x) for k in range(2)]
            curve.append(mix(B[0], B[1], 1, 2, x))
    return curve


def domain_segment():
    p = Picture("axial: P1 slides on a piece of a line", (0, 0.2, 0))
    p.path([p.at((-2.4, -0.4, 0)), p.at((2.4, 0.6, 0))], "#7792b3", 4)
    p.ball((0, 0.1, 0), 0.3, ONE)
    p.slide((-0.9, 0.61, 0), (0.9, 0.99, 0), "")
    p.text((2.4, 0.6, 0), "max", INK, (0, -8), "middle")
    p.text((-2.4, -0.4, 0), "min", INK, (0, -8), "middle")
    return p


def domain_ring():
    p = Picture("planar: P1 slides in a ring, a disc or a plane", (0, 0.2, 0))
    p.polygon([p.at(q) for q in circle((0, 0, 0), Y, 2.4)], TWO[0])
    p.polygon([p.at(q) for q in circle((0, 0, 0), Y, 0.9)], "#ffffff")
    p.axis((0, 0, 0), (0, 1.6, 0), "n")
    p.ball((1.6, 0.1, 0.3), 0.28, ONE)
    p.slide((0.95, 0, 0.2), (2.3, 0, 0.4), "")
    p.turn((0, 0, 0), Y, 1.6, -20, 40, "", zero=X)
    return p


def domain_curve():
    p = Picture("curve: P1 slides on a bent wire", (0, 0.2, 0))
    points = [(-2.7, 0.9, 0), (-1.5, -0.7, 0.4), (0, 0.6, 0.2), (1.3, -0.4, -0.5), (2.6, 1, 0)]
    curve = catmull_rom(points)
    p.path([p.at(q) for q in curve], "#7792b3", 4)
    for q in points:
        p.ball(q, 0.1, TWO)
    p.ball(curve[40], 0.28, ONE)
    arrow = [p.at(add(q, (0, 0.55, 0))) for q in curve[30:52]]
    p.path(arrow, RED, 2)
    p.head(arrow[-3], arrow[-1], RED)
    p.head(arrow[2], arrow[0], RED)
    return p


def domain_sphere():
    p = Picture("sphere: P1 stays at a distance from P2", (0, 0, 0))
    x, y = p.at((0, 0, 0))
    p.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2.2 * SCALE:.1f}" fill="{TWO[0]}" fill-opacity="0.6" stroke="{INK}"/>')
    p.path([p.at(q) for q in circle((0, 0, 0), Y, 2.2)], "#7792b3", 1, "4 3")
    out = mul(2.2, unit((1.1, 0.55, 0.3)))
    p.path([p.at((0, 0, 0)), p.at(out)], INK, 1, "4 3")
    p.text(mul(0.5, out), "ρ", INK, (-2, -6), "end", "italic")
    p.ball((0, 0, 0), 0.07, TWO)
    p.ball(out, 0.28, ONE)
    p.turn((0, out[1], 0), Y, math.hypot(out[0], out[2]), -22, 22, "", zero=(out[0], 0, out[2]))
    side = unit(cross(Y, out))
    p.turn((0, 0, 0), side, 2.2, -22, 22, "", zero=out)
    return p


def domain_box():
    p = Picture("box: P1 stays in a box, or on its faces", (0, 0, 0))
    p.box((0, 0, 0), (3.4, 2, 2.4), TWO, opacity=0.45)
    p.ball((0.3, 0.1, 0), 0.28, ONE)
    p.slide((-0.8, 0.1, 0), (1.4, 0.1, 0), "")
    p.slide((0.3, -0.8, 0), (0.3, 0.95, 0), "")
    p.slide((0.3, 0.1, -0.9), (0.3, 0.1, 1.1), "")
    return p


def domain_mesh():
    p = Picture("mesh: P1 slides on a surface of triangles, or within it", (0, 0.1, 0))
    height = lambda x, z: 0.5 * math.cos(1.3 * x) * math.cos(1.1 * z)
    grid = lambda i, j: (0.7 * i, height(0.7 * i, 0.6 * j), 0.6 * j)
    for j in range(-3, 3):  # from back to front
        for i in range(-4, 4):
            a, b, c, d = grid(i, j), grid(i + 1, j), grid(i + 1, j + 1), grid(i, j + 1)
            for t, shade in (((a, b, c), 0), ((a, c, d), 1)):
                p.polygon([p.at(q) for q in t], TWO[shade], "#7792b3", width=0.7)
    p.ball((0, 0.6, 0), 0.28, ONE)
    p.slide((-1, 0.55, 0), (1, 0.55, 0), "")
    p.slide((0, 0.5, -0.9), (0, 0.5, 1), "")
    return p


DOMAINS = [domain_segment, domain_ring, domain_curve, domain_sphere, domain_box, domain_mesh]
JOINTS = [embedding, pin, sliding, screw, cylindrical, plane_on_plane, ball, universal, cylinder_on_plane,
          ball_in_cylinder, ball_on_plane, flying]


def main():
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "joints")
    os.makedirs(folder, exist_ok=True)
    for draw in JOINTS + DOMAINS:
        with open(os.path.join(folder, draw.__name__ + ".svg"), "w", encoding="utf-8", newline="\n") as f:
            f.write(draw().svg())


if __name__ == "__main__":
    main()
