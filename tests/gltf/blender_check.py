# Opens a .glb in Blender and compares it with the table of the same run:
#
#     blender --background --factory-startup --python-exit-code 1 --python blender_check.py -- RUN.glb RUN.csv
#
# RUN.csv needs the columns time, NAME.at and NAME.quaternion of every solid. Names, parents, the number of frames, the
# placement of every solid at some of them, and the report are compared. Exit code 77 when Blender cannot import glTF.
import csv
import sys

import bpy
from mathutils import Quaternion, Vector

SKIP = 77
glb, table = sys.argv[sys.argv.index("--") + 1:]

with open(table, newline="") as file:
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
solids = [name[:-len(".at.x")] for name in rows[0] if name.endswith(".at.x")]

# Without the objects of Blender's own first scene, and with a Blender frame for each of ours.
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = round(1 / (rows[1]["time"] - rows[0]["time"]))
try:
    import io_scene_gltf2  # noqa: F401
    import numpy  # the importer needs it; Debian's package only recommends it
except ImportError as error:
    print(f"Blender cannot import glTF here: {error}")
    sys.exit(SKIP)
if "bool" not in vars(numpy):
    # Debian 12 has Blender 3.4 with NumPy 1.24, which dropped a name that this importer uses for meshes with normals.
    numpy.bool = bool
bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
bpy.ops.import_scene.gltf(filepath=glb)


def check(condition, message):
    if not condition:
        print(f"DIFFERENT: {message}")
        sys.exit(1)


def keys(solid):
    animation = bpy.data.objects[solid].animation_data
    if animation is None:
        return []
    # The importer stores the action in an NLA track, and plays the first of them.
    actions = [animation.action] if animation.action else [s.action for t in animation.nla_tracks for s in t.strips]
    return [len(curve.keyframe_points) for action in actions for curve in action.fcurves]


missing = [name for name in solids if name not in bpy.data.objects]
check(not missing, f"no objects {missing}")
for name in solids:
    group = name.rpartition(".")[0]
    parent = bpy.data.objects[name].parent
    check((parent.name if parent else "") == group, f"{name} is a child of {parent}, not of '{group}'")
counts = {count for name in solids for count in keys(name)}
check(counts == {len(rows)}, f"keyframes {counts}, frames {len(rows)}")

# Blender has z up: (x, y, z) of glTF is (x, -z, y) there.
worst = 0.0
for frame in sorted({0, 1, len(rows) // 2, len(rows) - 1}):
    scene.frame_set(frame)
    for name in solids:
        at = {c: rows[frame][f"{name}.at.{c}"] for c in "xyz"}
        q = {c: rows[frame][f"{name}.quaternion.{c}"] for c in "wxyz"}
        place, turn, size = bpy.data.objects[name].matrix_world.decompose()
        expected = Vector((at["x"], -at["z"], at["y"]))
        expected_turn = Quaternion((q["w"], q["x"], -q["z"], q["y"]))
        # q and -q are one orientation; |q - q'| is half the small angle between them.
        angle = 2 * min((turn - expected_turn).magnitude, (turn + expected_turn).magnitude)
        difference = max((place - expected).length / max(1, expected.length), angle, (size - Vector((1, 1, 1))).length)
        # Ten times what float32 and the composition of matrices leave.
        check(difference < 1e-5, f"{name} at frame {frame}: {place} {turn}, not {expected} {expected_turn}")
        worst = max(worst, difference)

check("report" in scene and scene["report"]["frames"] == len(rows) - 1, "no report among the scene's properties")
meshes = [o for o in bpy.data.objects if o.type == "MESH"]
print(f"SAME: {len(solids)} solids, {len(meshes)} shapes, {len(rows)} frames, placements within {worst:.1e}")
