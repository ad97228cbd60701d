import {
  areCodesLinked,
  INSTALLATION_MEMORY_MS,
  isTooShortToScore,
  type VenueCodes,
  type VenueLimit,
  venueLimitOf,
} from '@sendlap/domain/proof/fair-proof.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { type ActivityRow, executeOne, type Facts } from '../record/store.ts';
import { sharesInstallation } from './scan-method.ts';
import type { VenueScanResult } from './verify-venue-scan.ts';

/** An activity lasts at most a day. */
const EARLIER_VISITS_MS = 86_400_000;

/**
 * Returns the facts of a kiosk's proof with the codes that it used, and why it counts as a friend's proof does (null: it
 * does not). Visits of one center are decided one after the other.
 */
export async function limitVenueProof(
  trx: Trx,
  row: ActivityRow,
  facts: Facts,
  { code: end }: VenueScanResult = { kiosk_id: null },
): Promise<{ facts: Facts; limit: VenueLimit | null }> {
  const { venue_start_code: start, venue_ended_at } = row;
  if (end === undefined || start === null || !venue_ended_at) return { facts, limit: null };
  if (isTooShortToScore(stepOf(start), stepOf(end))) return { facts, limit: null };
  await sql`select pg_advisory_xact_lock(hashtextextended(${`venue proof ${facts.sport_center_id}`}, 0))`.execute(trx);
  const { visits, shares_installation } = await loadEarlierVisits(trx, row, facts, venue_ended_at);
  const limit = venueLimitOf({ shares_codes: areCodesLinked({ start, end }, visits), shares_installation });
  return { facts: { ...facts, venue_codes: `${start} ${end}` }, limit };
}

function stepOf(code: string): number {
  return Number(code.split(' ')[1]);
}

/**
 * The codes of the visits at the center that kiosks proved within a day, also of deleted activities, and whether one that
 * overlaps was made by another account of the athlete's installation.
 */
async function loadEarlierVisits(
  trx: Trx,
  { user_id }: ActivityRow,
  { sport_center_id, started_at, ended_at }: Facts,
  finished_at: Date,
): Promise<{ visits: VenueCodes[]; shares_installation: boolean }> {
  const since = new Date(finished_at.getTime() - EARLIER_VISITS_MS);
  const valid_since = new Date(Date.parse(started_at) - INSTALLATION_MEMORY_MS);
  return executeOne(
    trx,
    sql<{ visits: VenueCodes[]; shares_installation: boolean }>`
    with visit as (
      select athlete_id, facts from decisions
      where scanner_id is null and facts ->> 'sport_center_id' = ${sport_center_id} and received_at >= ${since}
    )
    select
      (select coalesce(jsonb_agg(jsonb_build_object('start', words[1] || ' ' || words[2], 'end', words[3] || ' ' || words[4])),
          '[]')
        from visit, string_to_array(facts ->> 'venue_codes', ' ') as words where facts ? 'venue_codes') as visits,
      exists (select from visit v
        where v.athlete_id <> ${user_id}
          and (v.facts ->> 'started_at')::timestamptz < ${ended_at}
          and (v.facts ->> 'ended_at')::timestamptz > ${started_at}
          and ${sharesInstallation(sql`${user_id}`, sql`v.athlete_id`, valid_since)}) as shares_installation`,
  );
}
