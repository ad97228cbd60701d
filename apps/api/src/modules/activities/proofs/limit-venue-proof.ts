import { DAY_MS } from '@sendlap/domain/durations.ts';
import {
  areCodesLinked,
  codesLinkedTo,
  INSTALLATION_MEMORY_MS,
  isTooShortToScore,
  type VenueCodes,
  type VenueLimit,
  venueLimitOf,
} from '@sendlap/domain/proof/fair-proof.ts';
import { VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { type ActivityRow, executeOne, type Facts } from '../record/store.ts';
import { sharesInstallation } from './scan-method.ts';
import type { VenueScanResult } from './verify-venue-scan.ts';

/** Longer than a visit can still change a board. */
const MAX_DAYS_BACK = 32;

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
  const limit = venueLimitOf(await compareWithEarlier(trx, row, facts, { start, end }));
  return { facts: { ...facts, venue_codes: `${start} ${end}` }, limit };
}

function stepOf(code: string): number {
  return Number(code.split(' ')[1]);
}

interface EarlierVisits {
  visits: VenueCodes[];
  shares_installation: boolean;
}

/**
 * Looks back as far as the oldest code that visits link to the start: all visits with a code end when it is shown, or
 * later. A chain of visits can be longer than one activity; one that is longer than any board's week counts as a link.
 */
async function compareWithEarlier(trx: Trx, row: ActivityRow, facts: Facts, { start, end }: VenueCodes) {
  for (let days = 1; ; days *= 2) {
    const oldest_step = stepOf(start) - (days * DAY_MS) / VENUE_TIME_STEP_MS;
    // The server receives a code from one step before its own on.
    const since = new Date((oldest_step - 1) * VENUE_TIME_STEP_MS);
    const { visits, shares_installation } = await loadVisitsSince(trx, row, facts, since);
    const is_chain_complete = [...codesLinkedTo(start, visits)].every((code) => stepOf(code) >= oldest_step);
    const shares_codes = areCodesLinked({ start, end }, visits) || (!is_chain_complete && days >= MAX_DAYS_BACK);
    if (shares_codes || is_chain_complete) return { shares_codes, shares_installation };
  }
}

/**
 * The codes of the visits at the center that kiosks proved since then, also of deleted activities, and whether one that
 * overlaps was made by another account of the athlete's installation.
 */
async function loadVisitsSince(
  trx: Trx,
  { user_id }: ActivityRow,
  { sport_center_id, started_at, ended_at }: Facts,
  since: Date,
): Promise<EarlierVisits> {
  const valid_since = new Date(Date.parse(started_at) - INSTALLATION_MEMORY_MS);
  return executeOne(
    trx,
    sql<EarlierVisits>`
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
