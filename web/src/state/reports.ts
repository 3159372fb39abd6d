// Makes one kind of report out of what the assembly and the doctor say.
import type { Vec3 } from '../engine/messages';
import type { Report } from './store';

interface DoctorFreedom {
  kind: string;
  sentence: string;
  places?: { line: number }[];
  motion?: { solid: string; v: Vec3; w: Vec3 }[];
}
interface DoctorFinding {
  kind?: string;
  severity?: string;
  sentence?: string;
  message?: string;
  joints?: string[];
  solids?: string[];
  places?: { line: number }[];
}

const strings = (x: unknown): string[] =>
  Array.isArray(x) ? x.map((y) => (typeof y === 'string' ? y : String((y as { name?: string; joint?: string }).joint ?? (y as { name?: string }).name ?? ''))).filter(Boolean) : [];

export function readReport(title: string, raw: unknown): Report {
  const r = raw as Record<string, unknown>;
  const findings: Report['findings'] = [];
  for (const f of (r.findings as DoctorFinding[] | undefined) ?? [])
    findings.push({ kind: f.kind ?? f.severity ?? 'finding', sentence: f.sentence ?? f.message ?? '', names: [...strings(f.joints), ...strings(f.solids)], line: f.places?.[0]?.line ?? 0 });
  for (const f of (r.freedoms as DoctorFreedom[] | undefined) ?? [])
    findings.push({ kind: `${f.kind} freedom`, sentence: f.sentence, names: f.motion?.map((m) => m.solid) ?? [], line: f.places?.[0]?.line ?? 0, motion: f.motion });
  const verdict = String(r.verdict ?? '');
  const good = 'consistent' in r ? r.consistent === true : verdict ? /^(satisfied|converged|assembled)/i.test(verdict) : null;
  const head = 'mobility' in r
    ? `Mobility ${String(r.mobility)}` + (r.by_count !== undefined && r.by_count !== r.mobility ? ` (counting joints alone says ${String(r.by_count)})` : '')
      + (Number(r.floating) > 0 ? `, ${String(r.floating)} floating` : '')
    : '';
  return { title, good, culprits: strings(r.culprits), findings, text: [verdict, head, typeof r.text === 'string' ? r.text : ''].filter(Boolean).join('\n') };
}
