// What surrounds a scene: background, light, a ground that takes shadows and a grid that fades away.
import * as THREE from 'three';

const GRID_VERTEX = `
  varying vec3 vWorld;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vWorld = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

// Two sizes of cells, drawn analytically: no moiré far away and no geometry to build for a scene of another size.
const GRID_FRAGMENT = `
  varying vec3 vWorld;
  uniform float cell;
  uniform float reach;
  uniform vec3 centre;
  float lines(vec2 p, float size) {
    vec2 q = p / size;
    vec2 w = fwidth(q);
    vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-6);
    float line = 1.0 - min(min(d.x, d.y), 1.0);
    return line * (1.0 - clamp(max(w.x, w.y) * 2.0 - 0.4, 0.0, 1.0));
  }
  void main() {
    vec2 p = vWorld.xz;
    float fade = 1.0 - smoothstep(0.25, 1.0, length(p - centre.xz) / reach);
    float a = max(0.10 * lines(p, cell), 0.30 * lines(p, 5.0 * cell)) * fade;
    vec3 color = vec3(0.52, 0.57, 0.65);
    vec2 w = fwidth(p);
    if (abs(p.y) < w.y * 1.2) { color = vec3(0.85, 0.33, 0.32); a = 0.5 * fade; }
    if (abs(p.x) < w.x * 1.2) { color = vec3(0.33, 0.53, 0.9); a = 0.5 * fade; }
    if (a < 0.004) discard;
    gl_FragColor = vec4(color, a);
    #include <colorspace_fragment>
  }`;

export class Stage {
  readonly group = new THREE.Group();
  readonly sun = new THREE.DirectionalLight(0xfff4e6, 2.3);
  private readonly shadowCatcher: THREE.Mesh;
  private readonly grid: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;

  constructor() {
    this.group.add(new THREE.HemisphereLight(0xcdd9ea, 0x4a4640, 1.35));
    const fill = new THREE.DirectionalLight(0xbfd4ff, 0.55);
    fill.position.set(-3, 2, -4);
    this.group.add(fill, this.sun, this.sun.target);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 3;
    this.shadowCatcher = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({ opacity: 0.42, depthWrite: false }),
    );
    this.shadowCatcher.receiveShadow = true;
    this.grid = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new THREE.ShaderMaterial({
        vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false, side: THREE.DoubleSide,
        uniforms: { cell: { value: 0.1 }, reach: { value: 10 }, centre: { value: new THREE.Vector3() } },
      }),
    );
    this.grid.renderOrder = 1;
    this.group.add(this.shadowCatcher, this.grid);
  }

  /** `floor`: whether the scene has a plane of its own at that height; then grid lines lie just above it. */
  fit(centre: THREE.Vector3, radius: number, groundY: number): void {
    const cell = 10 ** Math.round(Math.log10(radius / 3));
    const u = this.grid.material.uniforms;
    u.cell.value = cell;
    u.reach.value = 9 * radius;
    u.centre.value.copy(centre);
    for (const mesh of [this.grid, this.shadowCatcher]) {
      mesh.scale.setScalar(20 * radius);
      mesh.position.set(centre.x, groundY + (mesh === this.grid ? 0.0012 : 0.0006) * radius, centre.z);
    }
    const camera = this.sun.shadow.camera;
    const reach = 1.9 * radius;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1 * radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.sun.position.set(centre.x + 1.6 * radius, centre.y + 3.6 * radius, centre.z + 2 * radius);
    this.sun.target.position.copy(centre);
    this.sun.shadow.normalBias = 0.004 * radius;
  }

  setShadows(size: number): void {
    this.sun.castShadow = size > 0;
    this.shadowCatcher.visible = size > 0;
    if (size > 0 && this.sun.shadow.mapSize.x !== size) {
      this.sun.shadow.mapSize.set(size, size);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    }
  }

  background(): THREE.Texture {
    const canvas = document.createElement('canvas');
    canvas.width = 2;
    canvas.height = 256;
    const c = canvas.getContext('2d');
    if (c) {
      const g = c.createLinearGradient(0, 0, 0, 256);
      g.addColorStop(0, '#343b47');
      g.addColorStop(0.55, '#232830');
      g.addColorStop(1, '#191c22');
      c.fillStyle = g;
      c.fillRect(0, 0, 2, 256);
    }
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
  }
}
