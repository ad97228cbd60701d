import { isTooShortToScore, type VenueLimit, venueCodesKey, venueLimitOf } from '@sendlap/domain/proof/fair-proof.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { type ActivityRow, executeOne, type Facts } from '../record/store.ts';
import type { VenueScanResult } from './verify-venue-scan.ts';

/** A code is received within its step of 15 s or a step beside it: others who scanned it finished within this time. */
const SAME_CODE_WITHIN_MS = 60_000;
/** An activity lasts at most a day. */
const SAME_VISIT_WITHIN_MS = 86_400_000;

/**
 * Returns the facts of a kiosk's proof with the codes that it used, and why it counts as a friend's proof does (null: it
 * does not). Visits with the same two codes, or of one installation, are decided one after the other.
 */
export async function limitVenueProof(
  trx: Trx,
  row: ActivityRow,
  facts: Facts,
  { kiosk_id, step }: VenueScanResult = { kiosk_id: null },
): Promise<{ facts: Facts; limit: VenueLimit | null }> {
  if (kiosk_id === null || step === undefined || row.venue_start_step === null || !row.venue_ended_at) {
    return { facts, limit: null };
  }
  const codes = { kiosk_id, start_step: Number(row.venue_start_step), end_step: step };
  if (isTooShortToScore(codes)) return { facts, limit: null };
  const venue_codes = venueCodesKey(codes);
  // Per center, because two visits of one installation may have codes of two kiosks.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`venue proof ${facts.sport_center_id}`}, 0))`.execute(trx);
  const since = (within_ms: number) => new Date((row.venue_ended_at ?? row.updated_at).getTime() - within_ms);
  const found = await executeOne(
    trx,
    sql<{ shares_codes: boolean; shares_installation: boolean }>`
    select
      exists (select from decisions
        where scanner_id is null and received_at >= ${since(SAME_CODE_WITHIN_MS)} and athlete_id <> ${row.user_id}
          and facts ->> 'venue_codes' = ${venue_codes}) as shares_codes,
      exists (select from devices d join devices o using (installation_id)
        join decisions v on v.athlete_id = o.user_id
        where d.user_id = ${row.user_id} and o.user_id <> ${row.user_id}
          and v.scanner_id is null and v.received_at >= ${since(SAME_VISIT_WITHIN_MS)}
          and v.facts ->> 'sport_center_id' = ${facts.sport_center_id}
          and (v.facts ->> 'started_at')::timestamptz < ${facts.ended_at}
          and (v.facts ->> 'ended_at')::timestamptz > ${facts.started_at}) as shares_installation`,
  );
  return { facts: { ...facts, venue_codes }, limit: venueLimitOf(found) };
}
