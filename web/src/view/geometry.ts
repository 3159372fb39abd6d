// Unit geometries, at the roundness of a level of detail.
import * as THREE from 'three';
import type { MeshData, Unit } from './parts';

/** Segments round an axis, by level of detail. */
const ROUND = [40, 24, 12, 8];

export function unitGeometry(unit: Unit, level: number): THREE.BufferGeometry {
  const n = ROUND[Math.min(level, ROUND.length - 1)];
  switch (unit) {
    case 'sphere': return new THREE.SphereGeometry(1, n, Math.max(6, n >> 1));
    case 'box': return new THREE.BoxGeometry(1, 1, 1);
    case 'cylinder': return new THREE.CylinderGeometry(1, 1, 1, n);
    case 'tube': return new THREE.CylinderGeometry(1, 1, 1, n, 1, true);
    case 'dome': return new THREE.SphereGeometry(1, n, Math.max(4, n >> 2), 0, 2 * Math.PI, 0, Math.PI / 2);
    case 'cone': return new THREE.ConeGeometry(1, 1, n);
    case 'plane': return new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
  }
}

export function meshGeometry(data: MeshData): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(data.positions), 3));
  indexed.setIndex(data.indices);
  // Faces of their own corners: machine parts have edges, and normals averaged over them look like soap.
  const geometry = indexed.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}
