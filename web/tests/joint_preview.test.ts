import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Studio } from '../src/studio';
import { JointPreview, previewWith } from '../src/view/joint_preview';
import type { Viewport } from '../src/view/viewport';

describe('the preview of a joint', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('requestAnimationFrame', (f: (now: number) => void) => setTimeout(() => f(Date.now()), 16));
    vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('draws as often however often the type is changed, and not at all when it is over', () => {
    let drawn = 0;
    const view = {
      poses: new Float32Array(14), overrides: new Map(), marks: { setAxis: () => undefined }, sceneRadius: 1,
      place: () => { drawn++; }, pixelSize: () => 0.01,
    } as unknown as Viewport;
    const studio = { store: { on: () => undefined, state: { jointPicks: [{}, {}] } } } as unknown as Studio;
    new JointPreview(studio, view);
    const perSecond = () => {
      drawn = 0;
      vi.advanceTimersByTime(1000);
      return drawn;
    };
    const show = (type: string) => previewWith({ body: 1, point: [0, 0, 0], axis: [0, 0, 1], type });
    show('pin');
    const once = perSecond();
    expect(once).toBeGreaterThan(10);
    for (const type of ['ball', 'sliding', 'pin', 'cylindrical', 'pin']) {
      show(type);
      vi.advanceTimersByTime(70);
    }
    expect(perSecond()).toBeLessThanOrEqual(once + 1);
    previewWith(null);
    expect(perSecond()).toBe(0);
  });
});
