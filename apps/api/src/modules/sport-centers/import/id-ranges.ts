import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';

const CENTERS_PER_RANGE = 20_000;
const MAX_RANGES = 64;

export type IdRange = { first: string; last: string };

/** All ids of centers in parts of like size: what has to look at every center does so by parts, each a short statement. */
export async function readIdRanges(trx: Trx): Promise<IdRange[]> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from sport_centers`.execute(trx);
  const wanted = Math.ceil((rows[0]?.count ?? 0) / CENTERS_PER_RANGE);
  return rangesOf(Math.min(MAX_RANGES, 2 ** Math.ceil(Math.log2(Math.max(1, wanted)))));
}

/** `count` is a power of two, up to 256: ranges are cut at the first byte. */
function rangesOf(count: number): IdRange[] {
  const digits = (byte: number): string => byte.toString(16).padStart(2, '0');
  const width = 256 / count;
  return Array.from({ length: count }, (_, part) => ({
    first: `${digits(part * width)}000000-0000-0000-0000-000000000000`,
    last: `${digits((part + 1) * width - 1)}ffffff-ffff-ffff-ffff-ffffffffffff`,
  }));
}
