import { SPORTS } from '@sendlap/domain/sports.ts';
import type { Refusal, RefusalCode } from './read/types.ts';

export type MergedRecord = { ref: string; name: string; into: string; into_name: string };

/** The outcome of an import: read = imported + updated + unchanged + merged_count + refused_count. */
export type ImportReport = {
  dry_run: boolean;
  read: number;
  imported: number;
  updated: number;
  unchanged: number;
  merged_count: number;
  refused_count: number;
  /** Existing centers that gained facts from a merged record; not part of the sum. */
  enriched: number;
  /** Centers missing in a complete file, and closed ones that a file has again; not part of the sum. */
  closed: number;
  reopened: number;
  /** Centers that a complete source no longer has, and that stay open because they are too many. */
  missing: number;
  by_reason: Partial<Record<RefusalCode, number>>;
  notes: string[];
  /** The first thousand, in file order; the report file has all. */
  merged: MergedRecord[];
  refused: Refusal[];
};

const SHOWN = 20;

const REASONS: Record<RefusalCode, string> = {
  invalid_feature: 'not a feature',
  invalid_text: 'with ill-formed text',
  no_geometry: 'without coordinates',
  missing_nodes: 'ways or relations whose nodes are missing',
  wrong_projection: 'in another projection than degrees of WGS 84',
  out_of_range: 'coordinates that do not exist',
  swapped_coordinates: 'latitude and longitude swapped',
  contradicting_coordinates: 'coordinates that contradict each other',
  repeated_ref: 'references that name more than one place',
  no_name: 'without a name',
  other_sport: `neither ${SPORTS.join(' nor ')}`,
  crag: 'natural crags',
  via_ferrata: 'via ferratas',
  ropes_course: 'ropes courses',
  pitch_or_playground: 'outdoor walls, boulders and playgrounds',
  shop_or_office: 'shops and offices',
  bathing_place: 'bathing places in open water',
  spray_park: 'spray parks',
  closed_down: 'closed down',
  no_evidence: 'nothing shows a built center',
};

/** The report as text: the sum, refusals by reason, merges, and notes about the file. */
export function formatReport(report: ImportReport): string {
  const { read, imported, updated, unchanged, merged, refused, merged_count, refused_count } = report;
  const sum = `${read} read = ${imported} imported + ${updated} updated + ${unchanged} unchanged + ${merged_count} merged + ${refused_count} refused`;
  const reasons = Object.entries(report.by_reason).sort(([, a], [, b]) => b - a);
  const lines = [
    ...report.notes.map((note) => `Note: ${note}`),
    ...(report.dry_run ? ['Dry run: nothing was written.'] : []),
    sum,
    ...(report.enriched > 0 ? [`${report.enriched} centers that were already there got more details`] : []),
    ...(report.closed > 0 ? [`${report.closed} centers are closed: the file no longer has them`] : []),
    ...(report.reopened > 0 ? [`${report.reopened} closed centers are open again`] : []),
    ...section(
      'Refused',
      reasons.length,
      reasons.map(([code, count]) => `${String(count).padStart(6)}  ${describeCode(code)} (${code})`),
    ),
    ...section(
      'Merged',
      merged_count,
      merged.map(({ ref, name, into, into_name }) => `  ${name} (${ref}) into ${into_name} (${into})`),
    ),
    ...section(
      'Reasons',
      refused_count,
      refused.map(({ ref, name, reason }) => `  ${name ?? 'unnamed'} (${ref}): ${reason}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function describeCode(code: string): string {
  return Object.entries(REASONS).find(([known]) => known === code)?.[1] ?? code;
}

function section(title: string, count: number, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = count > SHOWN ? [`  … and ${count - SHOWN} more: --report <file> writes all of them`] : [];
  return ['', `${title}:`, ...lines.slice(0, SHOWN), ...more];
}
