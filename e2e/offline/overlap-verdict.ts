import type { PhoneRows } from './phone-rows.ts';
import type { ServerRows } from './server-rows.ts';
import type { DamageReport } from './verdict.ts';

type ActivityRow = ServerRows['activities'][number];

/** The athlete's choice for a refused activity. */
interface Resolution {
  choice: string;
  /** The refused one, as its phone had it. */
  own: PhoneRows['activities'][number];
  /** The user's activities on the server, before the choice and after it. */
  before: readonly ActivityRow[];
  after: readonly ActivityRow[];
}

interface Visit {
  id: string;
  from_ms: number;
  until_ms: number;
  distance_m: number;
}

/** More than the rounding of times to whole seconds. */
const ROUNDING_MS = 1_000;

/**
 * The server must still have the time and the distance of each activity that the choice keeps, in one or in more, and no
 * more than that.
 */
export function judgeResolution({ choice, own, before, after }: Resolution, report: DamageReport): void {
  const others = before.filter(({ id, status }) => id !== own.client_id && status !== 'deleted').map(visitOfRow);
  const kept = choice === 'merge' ? [...others, visitOfOwn(own)] : others;
  const left = after.filter(({ status }) => status !== 'deleted').map(visitOfRow);
  const lost = kept.filter((visit) => !left.some((row) => contains(row, visit)));
  for (const { id } of lost) report.add('lost', `activity ${id} after "${choice}"`);
  if (lost.length > 0) return;
  for (const row of left) {
    const parts = kept.filter((visit) => contains(row, visit));
    if (parts.length > 0 && isMoreThan(row, parts))
      report.add('altered', `activity ${row.id} is longer than its parts after "${choice}"`);
  }
}

function isMoreThan(row: Visit, parts: readonly Visit[]): boolean {
  const until_ms = Math.max(...parts.map((part) => part.until_ms));
  return (
    row.from_ms < Math.min(...parts.map((part) => part.from_ms)) - ROUNDING_MS ||
    row.until_ms > until_ms + ROUNDING_MS ||
    // The lengths of one that ran are not known here.
    (until_ms < Number.POSITIVE_INFINITY && row.distance_m > parts.reduce((sum, part) => sum + part.distance_m, 0))
  );
}

function visitOfRow({ id, started_at, ended_at, distance_m }: ActivityRow): Visit {
  const until_ms = ended_at?.getTime() ?? Number.POSITIVE_INFINITY;
  // The lengths of one that runs are still on the phone.
  const known_m = ended_at === null ? Number.POSITIVE_INFINITY : (distance_m ?? 0);
  return { id, from_ms: started_at.getTime(), until_ms, distance_m: known_m };
}

function visitOfOwn({ client_id, started_at, ended_at, distance_m }: Resolution['own']): Visit {
  const until_ms = ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at);
  return { id: client_id, from_ms: Date.parse(started_at), until_ms, distance_m: distance_m ?? 0 };
}

function contains(row: Visit, visit: Visit): boolean {
  return (
    row.from_ms <= visit.from_ms + ROUNDING_MS &&
    row.until_ms >= visit.until_ms - ROUNDING_MS &&
    row.distance_m >= visit.distance_m
  );
}
