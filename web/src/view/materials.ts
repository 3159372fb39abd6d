// The look of solids. What is fixed carries the hatching of technical drawings, what follows a path bands across it:
// both told apart from what moves freely without a legend.
import * as THREE from 'three';

export const PLAIN = 0;
export const HATCHED = 1;
export const BANDED = 2;

/** The attribute `pattern`, per instance: one of the three above. `hatch` is the width of a stripe in metres. */
export function solidMaterial(hatch: { value: number }, simple: boolean): THREE.Material {
  const material = simple
    ? new THREE.MeshLambertMaterial()
    : new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05 });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.hatch = hatch;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float pattern;\nvarying float vPattern;\nvarying vec3 vPlace;')
      .replace('#include <project_vertex>', `#include <project_vertex>
        vPattern = pattern;
        vec4 place = vec4(transformed, 1.0);
        #ifdef USE_INSTANCING
          // Along with the body, or the stripes would swim when it moves: only its scale is taken.
          place.xyz *= vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
        #endif
        vPlace = place.xyz;`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nuniform float hatch;\nvarying float vPattern;\nvarying vec3 vPlace;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        float along = vPattern > 1.5 ? vPlace.y : vPlace.x + vPlace.y + vPlace.z;
        float wave = abs(fract(along / hatch) - 0.5) * 2.0;
        float edge = fwidth(along / hatch) * 2.0;
        float stripe = smoothstep(0.5 - edge, 0.5 + edge, wave);
        // Far away the stripes are thinner than a pixel: their mean, not noise.
        stripe = mix(stripe, 0.5, clamp(edge - 0.6, 0.0, 1.0));
        if (vPattern > 0.5) diffuseColor.rgb *= mix(1.0, 0.72, stripe);`);
  };
  return material;
}

/** A floor has no end: it fades before the eye asks for one, and does not shine, so that what stands on it is seen. */
export function floorMaterial(): THREE.Material {
  const material = new THREE.MeshLambertMaterial({ transparent: true, side: THREE.DoubleSide, depthWrite: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
      .replace('#include <project_vertex>', '#include <project_vertex>\nvFloor = position.xz;');
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
      .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb *= 0.22;\ndiffuseColor.a *= 1.0 - smoothstep(0.15, 1.0, length(vFloor));');
  };
  return material;
}

export function ghostMaterial(): THREE.Material {
  return new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5, depthWrite: false });
}

/** Back faces of slightly larger solids: an outline without a second pass over the picture. */
export function outlineMaterial(color: number): THREE.Material {
  return new THREE.MeshBasicMaterial({ color, side: THREE.BackSide, toneMapped: false });
}
