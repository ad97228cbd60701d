import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

/** A suspicion for an operator to review; it decides nothing. */
export interface Flag {
  kind: 'reciprocal_pair' | 'many_refusals' | 'only_rejections' | 'one_athlete' | 'shared_codes';
  scanner: string;
  /** Public ids, as in the operator's other commands. */
  athlete?: string;
  count: number;
  since: string;
  /** The newest decisions in force behind the flag, at most 20: input for `--withdraw`. */
  decisions: string[];
  /** When the server received the newest scan behind it; ISO 8601. */
  latest_at: string;
}

const FLAG_DAYS = 90;
const REFUSALS_TO_FLAG = 5;
const DECISIONS_TO_FLAG = 5;
const SAME_ATHLETE_TO_FLAG = 10;
const SHARED_VISITS_TO_FLAG = 3;
/** Rare among honest users. */
const SUSPECT_CODES = [
  'code_forged',
  'clock_jumped',
  'scan_in_future',
  'code_replayed',
  'device_revoked',
  'peer_too_soon',
];

/**
 * Flags pairs who confirm each other, scanners with many suspect scans, scanners who only reject or confirm one athlete
 * only, and pairs of accounts that used the same codes of a kiosk.
 */
export function listFlags(database: Database, at = new Date()): Promise<Flag[]> {
  const since = sinceOf(at);
  const given = selectDecisionsInForce(since);
  return findFlags(database, since, [aboutDecisions(given), manyRefusals(since), sharedCodes(since)]);
}

/** A flag about referees and kiosks. */
export type StaffFlag = Flag & { kind: Exclude<Flag['kind'], 'many_refusals'> };

/**
 * The flags about decisions of referees and kiosks at one center, as if there were no other: they tell its managers
 * neither who is whose friend nor who trains elsewhere.
 */
export async function listFlagsAt(database: Database, sport_center_id: string, at: Date): Promise<StaffFlag[]> {
  const since = sinceOf(at);
  const at_center = sql`and d.facts ->> 'sport_center_id' = ${sport_center_id}`;
  const given = sql`${selectDecisionsInForce(since)} and d.method = 'referee' ${at_center}`;
  const flags = await findFlags(database, since, [aboutDecisions(given), sharedCodes(since, at_center)]);
  return flags as StaffFlag[];
}

const sinceOf = (at: Date) => new Date(at.getTime() - FLAG_DAYS * 86_400_000);

async function findFlags(database: Database, since: Date, queries: RawBuilder<FoundFlag>[]): Promise<Flag[]> {
  const found = await Promise.all(queries.map((query) => query.execute(database)));
  return found.flatMap(({ rows }) =>
    rows.map(({ athlete, ...flag }) => ({
      ...flag,
      ...(athlete !== null && { athlete }),
      latest_at: flag.latest_at.toISOString(),
      since: since.toISOString(),
    })),
  );
}

type FoundFlag = Omit<Flag, 'since' | 'latest_at' | 'athlete'> & { athlete: string | null; latest_at: Date };

/** Decisions of users that are in force, since then. */
const selectDecisionsInForce = (since: Date) => sql`
  select d.id, d.scanner_id, d.athlete_id, d.decision, d.received_at
  from decisions d
  join activities a on a.user_id = d.athlete_id and a.id = d.activity_id and a.decision_id = d.id
  where d.received_at >= ${since} and d.scanner_id is not null`;

const newest = sql`(array_agg(id order by received_at desc))[1:20]::text[] as decisions,
  max(received_at) as latest_at`;

/** Reads the decisions once, and people only of flags. */
const aboutDecisions = (decisions: RawBuilder<unknown>) => sql<FoundFlag>`
  with given as materialized (${decisions}), flags as (
    select 1 as nth, 'reciprocal_pair' as kind, scanner_id, athlete_id, count(*)::int as count, ${newest}
    from (
      -- No join of the decisions with themselves: PostgreSQL expects one row, and would compare each with each.
      select *, bool_or(scanner_id < athlete_id) over pair and bool_or(scanner_id > athlete_id) over pair as is_mutual
      from given where decision = 'confirm'
      window pair as (partition by least(scanner_id, athlete_id), greatest(scanner_id, athlete_id))) g
    where is_mutual group by scanner_id, athlete_id
    union all
    select 2, 'only_rejections', scanner_id, null::uuid, count(*)::int, ${newest}
    from given group by scanner_id
    having bool_and(decision = 'reject') and count(*) >= ${DECISIONS_TO_FLAG}
    union all
    select 3, 'one_athlete', scanner_id, (array_agg(athlete_id))[1], count(*)::int, ${newest}
    from given where decision = 'confirm' group by scanner_id
    having count(distinct athlete_id) = 1 and count(*) >= ${SAME_ATHLETE_TO_FLAG})
  select kind, s.public_id as scanner, u.public_id as athlete, count, decisions, latest_at
  from flags f join users s on s.id = f.scanner_id left join users u on u.id = f.athlete_id
  order by nth, count desc, scanner`;

/** Of suspended users too, since an operator decides whether to lift that; not of those who are about to be erased. */
const manyRefusals = (since: Date) => sql<FoundFlag>`
  select 'many_refusals' as kind, u.public_id as scanner, null as athlete, count(*)::int as count, '{}'::text[] as decisions,
    max(l.received_at) as latest_at
  from validation_log l join users u on u.id = l.scanner_id
  where l.received_at >= ${since} and u.erase_after is null
    and (l.code = any(${SUSPECT_CODES}) or (l.distance_class = 'far' and l.outcome <> 'waiting'))
  group by u.public_id having count(*) >= ${REFUSALS_TO_FLAG} order by count desc, scanner`;

/** On at least half of the account's visits. `scanner` is the account that counts on public boards, `athlete` the one that used its codes. */
const sharedCodes = (since: Date, at_center = sql``) => sql<FoundFlag>`
  with given as (
    select d.id, d.received_at, s.public_id as scanner, u.public_id as athlete
    from decisions d
    join activities a on a.user_id = d.athlete_id and a.id = d.activity_id and a.decision_id = d.id
    join decisions f on f.scanner_id is null and f.athlete_id <> d.athlete_id and f.method = 'venue'
      and f.received_at between d.received_at - interval '1 minute' and d.received_at
      and f.facts ->> 'venue_codes' = d.facts ->> 'venue_codes'
    join users s on s.id = f.athlete_id join users u on u.id = d.athlete_id
    where d.scanner_id is null and d.method = 'peer' and d.received_at >= ${since} ${at_center})
  select 'shared_codes' as kind, scanner, athlete, count(*)::int as count, ${newest}
  from given g group by scanner, athlete
  having count(*) >= ${SHARED_VISITS_TO_FLAG} and 2 * count(*) >= (
    select count(*) from decisions d join users u on u.id = d.athlete_id
    where u.public_id = g.athlete and d.facts ? 'venue_codes' and d.received_at >= ${since} ${at_center})
  order by count desc, scanner`;
