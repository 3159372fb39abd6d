#!/usr/bin/python3
"""Draws the pictures of the gallery: runs every scene to an instant and draws what its .glb shows then.

    scripts/thumbnails.py [SCENE...]     scenes/thumbnails/NAME.png; default: every scene

A small renderer of its own, so that the pictures need nothing but Debian's python3-numpy: triangles are sampled densely
enough to leave no holes, the nearest sample of a pixel wins; a second depth image, from the light, casts shadows; three
by three pixels become one. Needs build/release/armature, or what the variable ARMATURE names.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENES = ROOT / "scenes"
COMMAND = pathlib.Path(os.environ.get("ARMATURE", ROOT / "build/release/armature"))

WIDTH, HEIGHT, OVER = 320, 200, 3  # pixels, and samples per pixel and direction
LIGHT = np.array([0.35, 0.75, 0.56])  # towards it; of length 1
SKY = np.array([0.90, 0.93, 0.97])  # linear RGB, as all colours here
GROUND = np.array([0.62, 0.64, 0.66])

# The instant (s), and from where: degrees around the vertical from z, above the level; how much of the frame to fill.
DEFAULT = dict(time=1.0, around=25, above=14, fill=0.86)
VIEWS = {
    "anchor_chain": dict(time=0.3, around=20, above=8, fill=0.92),
    "bennett": dict(time=1.6, around=30, above=24),
    "bounce": dict(time=0.75),
    "chain": dict(time=0.9),
    "come_and_go": dict(time=1.15, around=12, above=8, fill=0.94),
    "conical_pendulum": dict(time=0.6),
    "dominoes": dict(time=0.85, around=20, above=18),
    "double_pendulum": dict(time=0.55),
    "dragged_structure": dict(time=0.5, around=25, above=12),
    "engine": dict(time=1, around=35, above=16, fill=0.92),
    "figure_ring": dict(time=0.1, around=15, above=30, fill=0.94),
    "gate": dict(time=0.55, around=30, above=18),
    "jansen_walker": dict(time=2.2, around=30, above=12, fill=0.92),
    "limits": dict(time=0.68, above=12),
    "marble_wire": dict(time=0.3, around=30, above=20, fill=0.94),
    "monocycle": dict(time=3, around=62, above=6, fill=0.92),
    "monocycle_riding": dict(time=4.6, around=62, above=10, fill=0.92),
    "motors": dict(time=1.5, above=8),
    "net": dict(time=0.6, above=28),
    "nonphysical": dict(time=2.6),
    "ragdolls": dict(time=1.5, around=20, above=14),
    "ragdolls_floor": dict(time=1.9, above=22),
    "sarrus": dict(time=1.2, around=30, above=20),
    "scissor_lift": dict(time=2.2, around=25, above=12),
    "seal": dict(time=2.3, around=15, above=12),
    "shaken_plate": dict(time=3.4, around=15, above=4, fill=0.92),
    "slider_crank": dict(time=2),
    "slope": dict(time=0.7, around=20, above=20),
    "snake": dict(time=0.4, around=15),
    "spinning_top": dict(above=20),
    "stewart_platform": dict(time=5, around=25, above=16),
    "tumbling": dict(time=1, around=50, fill=0.7),
    "joints/ball": dict(time=0.35),
    "joints/ball_in_cylinder": dict(time=1.5),
    "joints/ball_on_plane": dict(time=1.3, above=24),
    "joints/cylinder_on_plane": dict(time=0.6, above=24),
    "joints/cylindrical": dict(time=0.55),
    "joints/embedding": dict(time=0.3),
    "joints/flying": dict(time=0.33, above=18),
    "joints/pin": dict(time=0.3),
    "joints/plane_on_plane": dict(time=0.4, above=28),
    "joints/screw": dict(time=1.3, above=20),
    "joints/sliding": dict(time=0.6),
    "domains/box": dict(time=0.6, around=30, above=22),
    "domains/disc": dict(time=2.6, above=24),
    "domains/mesh": dict(time=0.7, above=30),
    "domains/plane": dict(time=0.33, above=18),
    "domains/point": dict(time=1.3, around=35),
    "domains/ring": dict(time=1.4, above=32),
    "domains/segment": dict(time=2.2),
    "domains/sphere": dict(time=0.3, above=20),
}


# --- the file --------------------------------------------------------------------------------------------------------

def read_glb(path):
    """The JSON part and the binary part of a .glb."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[20 + length + 8 :]


def accessor(gltf, binary, index):
    """The numbers of an accessor, one row per element."""
    a = gltf["accessors"][index]
    view = gltf["bufferViews"][a["bufferView"]]
    dtype = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[a["componentType"]]
    columns = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    offset = view.get("byteOffset", 0) + a.get("byteOffset", 0)
    return np.frombuffer(binary, dtype, a["count"] * columns, offset).reshape(a["count"], columns)


def rotation(q):
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


class Part:
    """One shape in the world: corners and normals of its triangles (n, 3, 3), and its colour."""

    def __init__(self, corners, normals, colour, is_plane):
        self.corners, self.normals, self.colour, self.is_plane = corners, normals, colour, is_plane


def parts_at_the_end(path):
    gltf, binary = read_glb(path)
    nodes = gltf["nodes"]
    placed = [dict(t=np.array(n.get("translation", [0, 0, 0]), float), q=np.array(n.get("rotation", [0, 0, 0, 1]), float),
                   s=np.array(n.get("scale", [1, 1, 1]), float)) for n in nodes]
    for animation in gltf.get("animations", []):
        for channel in animation["channels"]:
            values = accessor(gltf, binary, animation["samplers"][channel["sampler"]]["output"])
            target = channel["target"]
            placed[target["node"]][{"translation": "t", "rotation": "q", "scale": "s"}[target["path"]]] = (
                values[-1].astype(float))

    parts = []

    def walk(index, R, x):
        p, node = placed[index], nodes[index]
        x = x + R @ p["t"]
        R = R @ rotation(p["q"] / np.linalg.norm(p["q"]))
        if "mesh" in node:
            for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
                at = accessor(gltf, binary, primitive["attributes"]["POSITION"]).astype(float) * p["s"]
                normal = accessor(gltf, binary, primitive["attributes"]["NORMAL"]).astype(float)
                if "indices" in primitive:
                    order = accessor(gltf, binary, primitive["indices"]).reshape(-1, 3)
                else:
                    order = np.arange(len(at)).reshape(-1, 3)
                material = gltf["materials"][primitive["material"]]["pbrMetallicRoughness"]
                colour = np.array(material.get("baseColorFactor", [0.7, 0.7, 0.7, 1])[:3])
                parts.append(Part((at @ R.T + x)[order], (normal @ R.T)[order], colour, ".plane" in node.get("name", "")))
        for child in node.get("children", []):
            walk(child, R, x)

    for root in gltf["scenes"][gltf.get("scene", 0)]["nodes"]:
        walk(root, np.eye(3), np.zeros(3))
    return parts


# --- drawing ---------------------------------------------------------------------------------------------------------

class Camera:
    """Looks along -z of its own axes. `focal` in pixels, or pixels per metre when `parallel`."""

    def __init__(self, at, axes, focal, size, parallel=False):
        self.at, self.axes, self.focal, self.size, self.parallel = at, axes, focal, size, parallel

    def project(self, points):
        """x, y in pixels and the distance along the view."""
        local = (points - self.at) @ self.axes.T
        depth = -local[..., 2]
        scale = self.focal / (1 if self.parallel else np.maximum(depth, 1e-6))
        return (self.size[0] / 2 + local[..., 0] * scale, self.size[1] / 2 - local[..., 1] * scale, depth)

    def rays(self):
        """Directions through all pixels."""
        x, y = np.meshgrid(np.arange(self.size[0]) + 0.5, np.arange(self.size[1]) + 0.5)
        local = np.stack([(x - self.size[0] / 2) / self.focal, (self.size[1] / 2 - y) / self.focal, -np.ones_like(x)], -1)
        return local @ self.axes


def looking_along(forward):
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(right, forward), -forward])


def sample(camera, corners, extra):
    """Splats triangles: distance per pixel (inf where there is none) and `extra` (n, 3, k) there."""
    w, h = camera.size
    depth = np.full(w * h, np.inf)
    value = np.zeros((w * h, extra.shape[2]))
    px, py, pz = camera.project(corners)
    edge = np.max(np.hypot(px - np.roll(px, 1, 1), py - np.roll(py, 1, 1)), axis=1)
    if not camera.parallel:  # the near end of a triangle needs more than its mean
        edge = edge * pz.max(1) / np.maximum(pz.min(1), 1e-3)
    seen = ((px.max(1) >= 0) & (px.min(1) < w) & (py.max(1) >= 0) & (py.min(1) < h) & (pz.min(1) > 1e-3))
    # Only front faces: those whose corners run anticlockwise on the screen.
    seen &= (px[:, 1] - px[:, 0]) * (py[:, 2] - py[:, 0]) - (py[:, 1] - py[:, 0]) * (px[:, 2] - px[:, 0]) < 0
    steps = np.ceil(1.2 ** np.ceil(np.log(np.maximum(edge * 1.3, 1)) / np.log(1.2))).astype(int)
    for n in np.unique(steps[seen]):
        chosen = np.flatnonzero(seen & (steps == n))
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
        inside = i + j <= n
        a, b = i[inside] / n, j[inside] / n
        weights = np.stack([1 - a - b, a, b], 1)
        group = max(1, 2_000_000 // len(weights))
        for start in range(0, len(chosen), group):
            which = chosen[start : start + group]
            points = np.einsum("sk,nkd->nsd", weights, corners[which]).reshape(-1, 3)
            x, y, z = camera.project(points)
            x, y = np.floor(x).astype(int), np.floor(y).astype(int)
            good = (x >= 0) & (x < w) & (y >= 0) & (y < h)
            pixel, z = (y * w + x)[good], z[good]
            order = np.lexsort((z, pixel))
            pixel, z = pixel[order], z[order]
            first = np.concatenate([[True], pixel[1:] != pixel[:-1]]) if len(pixel) else np.zeros(0, bool)
            pixel, z = pixel[first], z[first]
            nearer = z < depth[pixel]
            pixel, z = pixel[nearer], z[nearer]
            depth[pixel] = z
            source = np.flatnonzero(good)[order][first][nearer]
            triangle, spot = which[source // len(weights)], source % len(weights)
            value[pixel] = np.einsum("nk,nkd->nd", weights[spot], extra[triangle])
    return depth.reshape(h, w), value.reshape(h, w, -1)


def frame(points, view, size):
    """A camera that shows all the points."""
    around, above = np.radians(view["around"]), np.radians(view["above"])
    forward = -np.array([np.sin(around) * np.cos(above), np.sin(above), np.cos(around) * np.cos(above)])
    axes = looking_along(forward)
    focal = 1.9 * size[1]
    local = points @ axes.T
    middle, distance = (local.max(0) + local.min(0)) / 2, 1.0
    half = np.array(size) / 2 * view["fill"]
    for _ in range(20):
        back = distance + local[:, 2].max() - local[:, 2]
        x, y = (local[:, 0] - middle[0]) / back * focal, (local[:, 1] - middle[1]) / back * focal
        middle[0] += (x.max() + x.min()) / 2 * distance / focal
        middle[1] += (y.max() + y.min()) / 2 * distance / focal
        distance *= max((x.max() - x.min()) / (2 * half[0]), (y.max() - y.min()) / (2 * half[1])) ** 0.9
    at = np.array([middle[0], middle[1], local[:, 2].max() + distance]) @ axes
    return Camera(at, axes, focal, size)


def draw(parts, view):
    size = (WIDTH * OVER, HEIGHT * OVER)
    solid = [p for p in parts if not p.is_plane]
    planes = [p for p in parts if p.is_plane]
    corners = np.concatenate([p.corners for p in solid])
    normals = np.concatenate([p.normals for p in solid])
    colours = np.concatenate([np.broadcast_to(p.colour**1.5, p.corners.shape) for p in solid])  # richer
    points = np.unique(corners.reshape(-1, 3).round(4), axis=0)
    camera = frame(points, view, size)
    depth, value = sample(camera, corners, np.concatenate([normals, colours], 2))

    # The ground: the scene's plane, or a level one below everything.
    if planes:
        up = planes[0].normals[0, 0]
        origin, ground = planes[0].corners[0, 0], 0.6 * GROUND + 0.4 * planes[0].colour
    else:
        up, origin, ground = np.array([0.0, 1, 0]), np.array([0, min(0, points[:, 1].min() - 0.02), 0]), GROUND
    rays = camera.rays()
    with np.errstate(divide="ignore", invalid="ignore"):
        t = ((origin - camera.at) @ up) / (rays @ up)
    on_ground = (t > 0) & (t < depth)
    solid_there = np.isfinite(depth) & ~on_ground
    where = camera.at + rays * np.where(on_ground, t, np.where(np.isfinite(depth), depth, 0))[..., None]

    # From the light.
    middle, reach = (points.max(0) + points.min(0)) / 2, np.linalg.norm(points.max(0) - points.min(0)) / 2 + 1e-3
    from_light = Camera(middle + LIGHT * 3 * reach, looking_along(-LIGHT), 700 / (2.1 * reach), (700, 700), True)
    shade, _ = sample(from_light, corners, np.zeros((len(corners), 3, 1)))
    lit = np.zeros(depth.shape)
    for dx in (-1.5, -0.5, 0.5, 1.5):
        for dy in (-1.5, -0.5, 0.5, 1.5):
            x, y, z = from_light.project(where)
            x, y = np.floor(x + dx).astype(int), np.floor(y + dy).astype(int)
            known = (x >= 0) & (x < 700) & (y >= 0) & (y < 700)
            ahead = np.where(known, shade[np.clip(y, 0, 699), np.clip(x, 0, 699)], np.inf)
            lit += (z < ahead + 0.02 * reach + 0.004) / 16

    # Colours.
    n = value[..., :3] / np.maximum(np.linalg.norm(value[..., :3], axis=-1, keepdims=True), 1e-9)
    facing = np.clip(n @ LIGHT, 0, 1)
    half = LIGHT - rays / np.linalg.norm(rays, axis=-1, keepdims=True)
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    shine = np.clip(np.sum(n * half, -1), 0, 1) ** 40 * 0.18
    ambient = 0.34 + 0.16 * n[..., 1]
    image = np.broadcast_to(SKY, depth.shape + (3,)).copy()
    body = value[..., 3:] * (ambient + 0.85 * facing * lit)[..., None] + (shine * lit)[..., None]

    away = np.linalg.norm(where - middle, axis=-1) / reach
    fade = np.clip((away - 1.2) / 3.5, 0, 1)[..., None]
    across = np.cross(up, [0, 0, 1] if abs(up[2]) < 0.9 else [1, 0, 0])
    across /= np.linalg.norm(across)
    along = np.cross(across, up)
    step = 10 ** np.floor(np.log10(reach)) * (0.5 if reach / 10 ** np.floor(np.log10(reach)) < 3 else 1)
    pixel = np.where(on_ground, t, 0) / camera.focal / OVER  # m that a sample sees, roughly
    line = np.zeros(depth.shape, bool)
    for direction in (across, along):
        u = (where - origin) @ direction / step
        line |= np.abs(u - np.round(u)) * step < np.maximum(0.004 * reach, 1.5 * pixel)
    floor = ground * (0.50 + 0.50 * lit)[..., None] * np.where(line, 0.88, 1)[..., None]
    floor = floor * (1 - fade) + SKY * fade
    image = np.where(solid_there[..., None], body, np.where(on_ground[..., None], floor, image))

    small = np.clip(image, 0, 1).reshape(HEIGHT, OVER, WIDTH, OVER, 3).mean((1, 3))
    return (np.where(small < 0.0031308, 12.92 * small, 1.055 * small ** (1 / 2.4) - 0.055) * 255 + 0.5).astype(np.uint8)


# --- PNG -------------------------------------------------------------------------------------------------------------

def palette(image, most=256):
    """Indices and colours: median cut."""
    pixels = image.reshape(-1, 3).astype(int)
    colours, inverse, count = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    boxes = [np.arange(len(colours))]
    while len(boxes) < most:
        spread = [np.ptp(colours[b], axis=0).max() * np.sqrt(count[b].sum()) if len(b) > 1 else 0 for b in boxes]
        worst = int(np.argmax(spread))
        if spread[worst] == 0:
            break
        box = boxes.pop(worst)
        axis = np.argmax(np.ptp(colours[box], axis=0))
        box = box[np.argsort(colours[box][:, axis], kind="stable")]
        total = np.cumsum(count[box])
        cut = min(max(1, int(np.searchsorted(total, total[-1] / 2))), len(box) - 1)
        boxes += [box[:cut], box[cut:]]
    table, of = [], np.zeros(len(colours), int)
    for i, box in enumerate(boxes):
        table.append(np.average(colours[box], axis=0, weights=count[box]).round())
        of[box] = i
    order = np.lexsort(np.array(table).T[::-1])
    rank = np.argsort(order)
    return rank[of[inverse.reshape(-1)]].reshape(image.shape[:2]).astype(np.uint8), np.array(table)[order].astype(np.uint8)


def png(image):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    indices, table = palette(image)
    rows = b"".join(b"\0" + row.tobytes() for row in indices)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0))
            + chunk(b"PLTE", table.tobytes()) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main(names):
    files = sorted([*SCENES.glob("*.arm"), *SCENES.glob("joints/*.arm"), *SCENES.glob("domains/*.arm")])
    known = {str(f.relative_to(SCENES).with_suffix("")): f for f in files}
    for name in names or known:
        if name not in known:
            sys.exit(f"no scene {name}")
        view = {**DEFAULT, **VIEWS.get(name, {})}
        with tempfile.TemporaryDirectory() as folder:
            glb = pathlib.Path(folder) / "scene.glb"
            subprocess.run([COMMAND, "run", known[name], "--quiet", "--time", str(view["time"]), "--out", glb], check=False)
            if not glb.exists():
                sys.exit(f"{name}: no picture")
            image = png(draw(parts_at_the_end(glb), view))
        target = SCENES / "thumbnails" / (name + ".png")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(image)
        print(f"{name}: {len(image) / 1000:.1f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
