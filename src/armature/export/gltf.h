// Recordings as glTF 2.0 binary (.glb): what a viewer, Blender or a game engine opens.
//
//   scene        extras: title, dt, units, and the run's report when there is one (report_json.h)
//   nodes        groups, solids, shapes by their full names (gltf_scene.h)
//   animation    a LINEAR channel for every translation and rotation that changes, all on one list of times
//
// Axes and units are glTF's own: y up, metres, seconds, linear colours; the same as ours. Numbers are float32, so that
// places far away are rounded (10 km from the origin to half a millimetre). Files end at 4 GiB.
//
// The report is at the scene and not at `asset`, because importers hand on a scene's extras (Blender: custom properties
// of the scene; three.js: userData).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "armature/base/atomic_file.h"
#include "armature/export/float_samples.h"
#include "armature/export/report_json.h"

namespace armature {

/// A file that collects frames while the run goes on and is in its place, whole, after commit(). One that is committed
/// early is a valid shorter one. Throws FileError.
class GltfFile {
  public:
    /// `model` must outlive this. `frames`, when known, are those to come: too many for one file are refused now and not
    /// after the run.
    GltfFile(std::filesystem::path path, const Model& model, std::int64_t frames = 0);
    void add(const FrameRecord& frame) { motion_.add(frame); }
    /// To be called once.
    void commit(const Json& report);

  private:
    AtomicFile file_;
    const Model* model_;
    MotionSamples motion_;
};

/// The whole recording at once; a `report` that is null is left out.
void write_gltf(const std::filesystem::path& path, const Model& model, const Recording& recording, const Json& report);

}  // namespace armature
