// What the measurements share: a scene of a thousand solids, a studio on a free port, quantiles.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const BROWSER_ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
export const CHAINS = 50, LINKS = 20;

export function thousand() {
  const folder = mkdtempSync(join(tmpdir(), 'armature-figures-'));
  const file = join(folder, 'thousand.arm');
  writeFileSync(file, `title "Thousand";
simulation solver procedural; duration 60; end
repeat c from 1 to ${CHAINS}
  repeat i from 1 to ${LINKS}
    object link[c][i] capsule radius 0.02 length 0.06; at (c % 10)*0.3 4-0.1*(i - 0.5) floor(c/10)*0.3; end
  end
  constraint hook[c] object2 link[c][1]; hinge (c % 10)*0.3 4 floor(c/10)*0.3  0 0.05 0; end
  repeat i from 1 to ${LINKS - 1}
    constraint j[c][i] object1 link[c][i]; object2 link[c][i + 1]; hinge 0 -0.05 0  0 0.05 0; end
  end
end
`);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function startStudio(file) {
  const started = performance.now();
  const child = spawn(process.env.ARMATURE ?? join(root, 'build/release/armature'), ['studio', file, '--no-open', '--port', '0'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (d) => { said += d; const m = /http:\/\/\S+/.exec(said); if (m) done(m[0]); });
    child.on('exit', (code) => fail(new Error(`the studio ended with ${code}`)));
  });
  return { url, pid: child.pid, started, servedMs: performance.now() - started, stop: () => new Promise((done) => { child.on('exit', done); child.kill('SIGINT'); }) };
}

let bad = 0;
/** A line of figures, and whether they are what the studio promises. The script ends with 1 when one is not. */
export function line(what, figures, holds = true) {
  console.log(`${what.padEnd(27)}${figures}${holds ? '' : '   FALLS SHORT'}`);
  if (!holds) process.exitCode = ++bad && 1;
}

export const share = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * p))] ?? NaN;
export const median = (list) => share(list, 0.5);
