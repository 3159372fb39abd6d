// Icons, drawn here: sixteen units square, one stroke width.
import { html, svg, type TemplateResult } from 'lit';

const draw = (content: TemplateResult, size = 16) =>
  html`<svg width=${size} height=${size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const icons = {
  logo: html`<svg viewBox="0 0 32 32" aria-hidden="true"><g fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path stroke="#eda95c" d="M8 24 13 9 24 13"/><path stroke="#62b0f0" d="M8 24H24V13"/></g><g fill="#191c21" stroke="#eef1f5" stroke-width="2"><circle cx="8" cy="24" r="3"/><circle cx="13" cy="9" r="3"/><circle cx="24" cy="13" r="3"/></g></svg>`,
  play: draw(svg`<path d="M5 3.2v9.6L13 8z" fill="currentColor"/>`),
  pause: draw(svg`<path d="M5 3.5v9M11 3.5v9" stroke-width="2.6"/>`),
  stepBack: draw(svg`<path d="M11.5 3.5v9L5.5 8z" fill="currentColor"/><path d="M3.5 3.5v9"/>`),
  stepOn: draw(svg`<path d="M4.5 3.5v9l6-4.5z" fill="currentColor"/><path d="M12.5 3.5v9"/>`),
  reset: draw(svg`<path d="M3 3v4h4"/><path d="M3.4 7A5 5 0 1 1 4 11.5"/>`),
  undo: draw(svg`<path d="M6 3 3 6l3 3"/><path d="M3 6h6.5a3.5 3.5 0 0 1 0 7H7"/>`),
  redo: draw(svg`<path d="m10 3 3 3-3 3"/><path d="M13 6H6.500a3.500 3.500 0 0 0 0 7H9"/>`),
  grid: draw(svg`<rect x="2.500" y="2.500" width="4.500" height="4.500" rx="1"/><rect x="9" y="2.500" width="4.500" height="4.500" rx="1"/><rect x="2.500" y="9" width="4.500" height="4.500" rx="1"/><rect x="9" y="9" width="4.500" height="4.500" rx="1"/>`),
  file: draw(svg`<path d="M4 2.500h5l3 3v8H4z"/><path d="M9 2.500v3h3"/>`),
  down: draw(svg`<path d="m4.500 6.500 3.500 3.500 3.500-3.500"/>`, 12),
  select: draw(svg`<path d="m4 2.500 8 5-3.700.9L6.500 12z"/>`),
  move: draw(svg`<path d="M8 2v12M2 8h12M6.300 3.700 8 2l1.700 1.700M6.300 12.300 8 14l1.700-1.700M3.700 6.300 2 8l1.700 1.700M12.300 6.300 14 8l-1.700 1.700"/>`),
  turn: draw(svg`<path d="M13 8a5 5 0 1 1-1.600-3.700"/><path d="M13.200 2v3h-3"/>`),
  scale: draw(svg`<rect x="2.500" y="8.500" width="5" height="5" rx=".8"/><path d="M8.500 7.500 13 3M9.500 2.800H13.200V6.500"/>`),
  joint: draw(svg`<circle cx="8" cy="8" r="2.200"/><path d="M9.700 6.400 13.500 3M6.400 9.700 2.500 13"/>`),
  plus: draw(svg`<path d="M8 3v10M3 8h10"/>`),
  world: draw(svg`<circle cx="8" cy="8" r="5.500"/><path d="M2.500 8h11M8 2.500c2.500 3 2.500 8 0 11M8 2.500c-2.500 3-2.500 8 0 11"/>`),
  local: draw(svg`<path d="m8 2 5 3v6l-5 3-5-3V5z"/><path d="M8 8v6M8 8 3 5M8 8l5-3"/>`),
  magnet: draw(svg`<path d="M3.500 3v5a4.500 4.500 0 0 0 9 0V3h-3v5a1.500 1.500 0 0 1-3 0V3zM3.500 5.500h3M9.500 5.500h3"/>`),
  loose: draw(svg`<path d="M6.500 9.500 4.800 11.200a2.100 2.100 0 0 1-3-3L4 6M9.500 6.500l1.700-1.700a2.100 2.100 0 0 1 3 3L12 10M5.500 3.500l-.6-1.600M10.500 12.500l.6 1.600M3.500 5.500 1.900 4.900M12.500 10.500l1.600.6"/>`),
  joints: draw(svg`<circle cx="8" cy="8" r="2.500"/><path d="M2 8h3.500M10.500 8H14"/>`),
  limits: draw(svg`<path d="M3 13V4M3 13h9"/><path d="M3 6.500A6.500 6.500 0 0 1 9.500 13"/>`),
  trail: draw(svg`<path d="M2 12c3 0 3-7 6-7s2.500 5 5 5"/><circle cx="13.200" cy="10" r="1.100" fill="currentColor"/>`),
  shadow: draw(svg`<circle cx="7" cy="6" r="3.700"/><path d="M4 13h9" stroke-width="2"/>`),
  focus: draw(svg`<path d="M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3"/><circle cx="8" cy="8" r="2"/>`),
  assemble: draw(svg`<path d="M2 5h4v2.200a1.600 1.600 0 1 1 0 1.600V11H2zM14 5h-4v6h4z"/>`),
  doctor: draw(svg`<path d="M3 2.500v3.500a3 3 0 0 0 6 0V2.500M6 9v1.500a3 3 0 0 0 6 0V9"/><circle cx="12" cy="7.500" r="1.300"/>`),
  ghost: draw(svg`<path d="M3.500 13.500V7a4.500 4.500 0 0 1 9 0v6.500l-1.500-1.200-1.500 1.200L8 12.300l-1.500 1.200L5 12.300z"/><path d="M6.500 7v.6M9.500 7v.6" stroke-width="1.800"/>`),
  sliders: draw(svg`<path d="M3 4.500h6M12 4.500h1M3 11.500h1M7 11.500h6"/><circle cx="10.500" cy="4.500" r="1.500"/><circle cx="5.500" cy="11.500" r="1.500"/>`),
  help: draw(svg`<circle cx="8" cy="8" r="5.800"/><path d="M6.300 6.300a1.800 1.800 0 1 1 2.500 1.900c-.6.300-.8.600-.8 1.300M8 11.400v.1"/>`),
  close: draw(svg`<path d="m4 4 8 8M12 4l-8 8"/>`),
  loop: draw(svg`<path d="M3 8V6.500A2.500 2.500 0 0 1 5.500 4H13M11 2l2 2-2 2M13 8v1.500a2.500 2.500 0 0 1-2.500 2.500H3M5 14l-2-2 2-2"/>`),
  chart: draw(svg`<path d="M2.500 13.500v-11M2.500 13.500h11"/><path d="m4.500 10.500 3-4 2.500 2 3-4.500"/>`),
  pin: draw(svg`<path d="M6 2.500h4M7 2.500v4L5 9h6L9 6.500v-4M8 9v4.500"/>`),
  camera: draw(svg`<rect x="2" y="4.500" width="12" height="8.500" rx="1.500"/><path d="M5.500 4.500 6.500 3h3l1 1.500"/><circle cx="8" cy="8.700" r="2.200"/>`),
  object: draw(svg`<path d="m8 2 5 3v6l-5 3-5-3V5z"/>`, 14),
  particle: draw(svg`<circle cx="8" cy="8" r="2.500" fill="currentColor"/>`, 14),
  force: draw(svg`<path d="M3 13 12.500 3.500M7.500 3.500h5v5"/>`, 14),
  spring: draw(svg`<path d="M8 1.500v2l-3 1.200 6 2-6 2 6 2-3 1.300v2.500"/>`, 14),
  path: draw(svg`<path d="M2.500 12.500c0-6 4-1 5.500-4s1-6 5.500-5"/><circle cx="2.500" cy="12.500" r="1"/><circle cx="13.500" cy="3.500" r="1"/>`, 14),
  group: draw(svg`<path d="M2.500 4.500h4l1.500 1.500h5.500v7h-11z"/>`, 14),
  repeat: draw(svg`<path d="M3 6.500A5 5 0 0 1 12.500 5.500M13 2.500v3h-3M13 9.500A5 5 0 0 1 3.500 10.500M3 13.500v-3h3"/>`, 14),
  gear: draw(svg`<circle cx="8" cy="8" r="2.200"/><path d="M8 2v2M8 12v2M2 8h2M12 8h2M3.800 3.800l1.400 1.400M10.800 10.800l1.400 1.400M12.200 3.800l-1.400 1.400M5.200 10.800l-1.400 1.400"/>`, 14),
  link: draw(svg`<circle cx="8" cy="8" r="2.200"/><path d="M2 8h3.800M10.200 8H14"/>`, 14),
  hand: draw(svg`<path d="M5 8.500V4a1 1 0 0 1 2 0v3-4.200a1 1 0 0 1 2 0V7 3.600a1 1 0 0 1 2 0V8.500 6a1 1 0 0 1 2 0v4a4 4 0 0 1-4 4H8a4 4 0 0 1-3.300-1.800L2.800 9.300a1 1 0 0 1 1.600-1.100z"/>`, 14),
  parameter: draw(svg`<path d="M3 12 8 3l5 9zM5 12h6"/>`, 14),
};

/** The icon of a block of the language. */
export function blockIcon(kind: string): TemplateResult {
  switch (kind) {
    case 'object': return icons.object;
    case 'particle': return icons.particle;
    case 'joint': case 'constraint': return icons.link;
    case 'force': case 'torque': return icons.force;
    case 'spring': return icons.spring;
    case 'path': case 'track': return icons.path;
    case 'repeat': return icons.repeat;
    case 'group': case 'place': return icons.group;
    case 'simulation': return icons.gear;
    case 'drag': return icons.hand;
    case 'parameter': return icons.parameter;
    default: return icons.group;
  }
}
