import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { copyCenters, writeCenterFiles } from './fill-centers.ts';
import { readRealCenters } from './synthetic-centers.ts';

const SEED = 20_261_128;
const YEARS_DAYS = 1826;
export const FULL = { athletes: 1_000_000, activities: 20_000_000, messages: 10_000_000, centers: 300_000 };
/** Activities of an athlete and messages of a chat on average; few have most of them. */
const ACTIVITIES_EACH = FULL.activities / FULL.athletes;
const MESSAGES_EACH = FULL.messages / FULL.athletes;
/** Athlete 1, with friends and chats; equal in each database, so that a call for them differs by the database alone. */
const BUSY_ACTIVITIES = 1_500;
const BUSY_FRIENDS = 300;
const BUSY_CHATS = 100;

/** Rows of a database: `share` of the full numbers, with a center and a chat of these sizes among them. */
export interface GrowthSize {
  share: number;
  /** Visits of center 1, and messages of the chat of athletes 1 and 2. */
  large: { visits: number; messages: number };
}

/** Athletes, activities, messages and centers of a share of the full size. */
export function countsOf(share: number): typeof FULL {
  const counts = Object.entries(FULL).map(([name, full]) => [name, Math.max(50, Math.round(full * share))]);
  return Object.fromEntries(counts) as typeof FULL;
}

/** The id of the n-th of a kind, as the database's function `grown` returns it. */
export function grownId(kind: 'user' | 'chat', n: number): string {
  const hex = createHash('md5').update(`${kind}${n}`).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** The athlete who manages center 1 and runs the server. */
export const STAFF = 2;
/** The athlete who is the referee of a center. */
export const refereeOf = (center: number, athletes: number) => 1 + ((center * 31) % athletes);

/**
 * Fills the database at `url` with five years of a server: one statement a table, without triggers and indexes, which
 * are made afterwards. The rows lie in the order of their time, as those of a real server.
 */
export async function fillGrowth(url: string, folder: string, { share, large }: GrowthSize): Promise<void> {
  const { athletes, centers, activities } = countsOf(share);
  const files = await writeCenterFiles(folder, readRealCenters(), centers, SEED);
  await copyCenters(url, files);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; set work_mem = '256MB';
      set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2; select setseed(0.61)`);
    await client.query(HELPERS);
    await client.query(peopleOf(athletes));
    const restore = await dropIndexes(client);
    await client.query(activitiesOf(athletes, centers, large.visits / activities));
    for (const statement of DERIVED) await client.query(statement);
    await client.query(chatsOf(athletes, large.messages));
    await restore();
    await client.query('vacuum (analyze, freeze)');
  } finally {
    await client.end();
  }
}

const HELPERS = `
  create function grown(kind text, n bigint) returns uuid language sql immutable parallel safe return
    overlay(overlay(md5(kind || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid;
  create function grown_season(week text) returns text language sql immutable parallel safe return
    left(week, 4) || '-Q' || least(4, 1 + (right(week, 2)::int - 1) / 13);
  create table grown_centers as
    select row_number() over (order by id)::int as nth, id from sport_centers;
  insert into sport_facilities (id, sport_center_id, type)
  select gen_random_uuid(), id, type from sport_centers, unnest('{climbing,swimming}'::text[]) type
  on conflict (sport_center_id, type) do nothing`;

const peopleOf = (athletes: number) => `
  insert into users (id, public_id, email, name, display_name, created_at, changed_at)
  select grown('user', n), 'grown-' || n, 'grown-' || n || '@example.org', 'Athlete ' || n, 'Athlete ' || n,
    now() - random() * interval '${YEARS_DAYS} days', now() - interval '1 day'
  from generate_series(1, ${athletes}) n;
  insert into friendships (id, user_low, user_high)
  select gen_random_uuid(), least(one, other), greatest(one, other)
  from (
    select grown('user', n) as one, grown('user', n + k) as other
    from generate_series(1, ${athletes}) n, generate_series(1, 5) k where n + k <= ${athletes}
    union all
    select grown('user', 1), grown('user', m) from generate_series(7, ${Math.min(BUSY_FRIENDS, athletes)}) m
  ) pairs;
  insert into referees (id, user_id, sport_center_id, sport_types, granted_by, valid_from)
  select gen_random_uuid(), grown('user', 1 + (nth * 31) % ${athletes}), id, '{climbing,swimming}', 'bench',
    now() - interval '${YEARS_DAYS} days'
  from grown_centers;
  insert into managers (user_id, sport_center_id) select grown('user', ${STAFF}), id from grown_centers where nth = 1;
  insert into operators (user_id) values (grown('user', ${STAFF}));
  analyze users, friendships, referees, grown_centers`;

/** One of a hundred athletes has 300, nine of a hundred 80, the others 11; no two overlap. */
const activitiesOf = (athletes: number, centers: number, large_share: number) => `
  insert into activities (id, user_id, sport_center_id, sport_type, started_at, ended_at, status, validation, intensity,
    distance_m, points, counted_minutes, rule_version, local_date, week_key, validated_at, decision_id, decided_by,
    rejected_reason, created_at, updated_at)
  select grown('activity', n * 10000 + k), grown('user', n), c.id, sport, start, start + interval '1 hour',
    case when proof <> 'none' then 'validated' when drawn < 0.95 then 'finished' when drawn < 0.98 then 'rejected'
      else 'deleted' end, proof, 'moderate', case when sport = 'swimming' then 1500 end,
    case when proof = 'none' then 0 when sport = 'climbing' then 236 else 441 end, case when proof <> 'none' then 60 end,
    'met-2', start::date, to_char(start, 'IYYY-"W"IW'),
    case when proof <> 'none' then start + interval '65 minutes' end,
    case when proof <> 'none' then grown('decision', n * 10000 + k) end,
    case proof when 'referee' then grown('user', 1 + (c.nth * 31) % ${athletes})
      when 'peer' then grown('user', 1 + n % ${athletes}) end,
    case when proof = 'none' and drawn between 0.95 and 0.98 then 'No' end, start, start + interval '65 minutes'
  from (
    select n, k, drawn, case when drawn < 0.4 then 'referee' when drawn < 0.6 then 'peer' when drawn < 0.7 then 'venue'
      else 'none' end as proof, case when random() < 0.6 then 'climbing' else 'swimming' end as sport,
      now() - (k - 0.4 * random()) * step as start,
      case when random() < ${large_share} then 1 when random() < 0.8 then 1 + (n * 7919) % ${centers}
        else 1 + floor(random() * ${centers})::int end as center
    from (
      select n, count, interval '${YEARS_DAYS} days' / count as step
      from generate_series(1, ${athletes}) n, lateral (select case when n = 1 then ${BUSY_ACTIVITIES}
        when n % 100 = 2 then 300 when n % 100 < 11 then 80 else ${Math.round((ACTIVITIES_EACH - 3 - 7.2) / 0.9)} end
        as count) each
    ) athlete, lateral (select k, random() as drawn from generate_series(1, count) k) drawn
    offset 0
  ) visit join grown_centers c on c.nth = center
  order by visit.start`;

const facts = `jsonb_build_object('sport_center_id', sport_center_id, 'sport_center_name', 'Center', 'sport_type', sport_type,
  'started_at', started_at, 'ended_at', ended_at, 'paused_s', null, 'intensity', intensity, 'intensity_confirmed', false,
  'distance_m', distance_m, 'local_date', local_date, 'week_key', week_key)`;

/** What the ops of these activities have written, as far as it is kept for ever. */
const DERIVED = [
  `insert into activity_ops (user_id, op_id, activity_id, athlete_id, kind, body_hash, outcome, received_at)
  select user_id, gen_random_uuid(), id, null, kind, sha256(id::text::bytea), 'accepted', received_at
  from activities, lateral (values ('start', started_at), ('finish', ended_at)) op(kind, received_at)
  union all
  select decided_by, decision_id, id, user_id, 'scan', sha256(id::text::bytea), 'accepted', validated_at
  from activities where decided_by is not null`,
  `insert into decisions (id, athlete_id, activity_id, scanner_id, op_id, method, decision, scanned_at, step, facts,
    received_at, decided_at)
  select decision_id, user_id, id, decided_by, decision_id, validation, 'confirm', validated_at, 1, ${facts}, validated_at,
    validated_at
  from activities where decision_id is not null`,
  `insert into validation_log (athlete_id, activity_id, scanner_id, op_id, method, decision, outcome, scanned_at,
    clock_offset_ms, clock_age_ms, distance_class, received_at)
  select user_id, id, decided_by, decision_id, validation, 'confirm', 'accepted', validated_at, 0, 1000, 'at', validated_at
  from activities where decision_id is not null`,
  `insert into score_ledger (user_id, activity_id, kind, points, rule_version, inputs, created_at)
  select user_id, id, 'validation', points, rule_version, ${facts} || jsonb_build_object('validation', validation,
    'validated_at', validated_at, 'decision_id', decision_id, 'counted_minutes', counted_minutes), validated_at
  from activities where decision_id is not null`,
  `insert into athlete_weeks (user_id, week_key, points, days, climbs, swims, swum_m, longest_climb_minutes,
    sport_center_ids, proofs)
  select user_id, week_key, sum(points), bit_or(1 << (extract(isodow from local_date)::int - 1)),
    count(*) filter (where sport_type = 'climbing'), count(*) filter (where sport_type = 'swimming'),
    coalesce(sum(distance_m), 0), 60, array_agg(distinct sport_center_id), string_agg(left(validation, 1), '')
  from activities where status = 'validated' group by user_id, week_key`,
  `insert into board_scores (user_id, period, sport, sport_center_id, points, reached_at, friends_points,
    friends_reached_at)
  select user_id, period, sport, center, coalesce(sum(points) filter (where validation <> 'peer'), 0),
    coalesce(max(validated_at) filter (where validation <> 'peer'), 'epoch'), sum(points), max(validated_at)
  from activities, lateral (values (week_key), (grown_season(week_key)), ('all')) p(period),
    lateral (values ('all'), (sport_type)) s(sport),
    lateral (values ('00000000-0000-0000-0000-000000000000'::uuid), (sport_center_id)) c(center)
  where status = 'validated' group by 1, 2, 3, 4`,
];

/** A chat of each athlete with the next one, most of them short; and those of athlete 1. Most messages are read. */
const chatsOf = (athletes: number, longest: number) => `
  create temp table grown_chats as
    select grown('chat', n) as id, least(one, other) as low, greatest(one, other) as high, count
    from (
      select n, grown('user', n) as one, grown('user', n + 1) as other, case when n = 1 then ${longest}
        when n % 10 = 0 then ${MESSAGES_EACH * 6.4} else ${MESSAGES_EACH * 0.4} end::int as count
      from generate_series(1, ${athletes - 1}) n
      union all
      select -m, grown('user', 1), grown('user', m), 40 from generate_series(3, ${Math.min(BUSY_CHATS, athletes)}) m
    ) pairs;
  insert into chats (id, user_low, user_high, created_by, last_seq, latest_at, low_unread)
  select id, low, high, low, count, now() - interval '1 hour', least(count, 2) from grown_chats;
  insert into messages (id, chat_id, seq, sender_id, text, created_at, read_at)
  select gen_random_uuid(), id, seq, case when seq % 2 = 0 or seq > count - 2 then high else low end,
    'Message ' || seq || ': the blue one by the door is open again, shall we try it?', at,
    case when seq <= count - 2 then at end
  from grown_chats, generate_series(1, count) seq,
    lateral (select now() - interval '1 hour' - (count - seq) * interval '${YEARS_DAYS} days' / count as at) moment
  order by moment.at`;

/** Those with rows of activities, and messages. */
const LARGE_TABLES = [
  ...['activities', 'activity_ops', 'decisions', 'validation_log', 'score_ledger', 'athlete_weeks', 'board_scores'],
  'messages',
];
const LARGE = `array[${LARGE_TABLES.map((name) => `'${name}'`).join(', ')}]::regclass[]`;

/** The bytes of the large tables with their indexes, and the seconds of a vacuum of every page. */
export async function measureStorage(url: string): Promise<{ bytes: Record<string, number>; vacuum_s: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; bytes: number }>(
      `select name, pg_total_relation_size(name)::float8 as bytes from unnest(${LARGE}) as name`,
    );
    const began_at = performance.now();
    await client.query('vacuum (analyze, disable_page_skipping)');
    const bytes = Object.fromEntries(rows.map(({ name, bytes: each }) => [name, each]));
    return { bytes, vacuum_s: (performance.now() - began_at) / 1000 };
  } finally {
    await client.end();
  }
}

/** Drops constraints and indexes of the large tables; returns what makes them again. */
async function dropIndexes(client: Client): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
        case contype when 'f' then ' not valid' else '' end) as create
    from pg_constraint
    where conrelid = any(${LARGE}) and contype in ('f', 'p', 'u', 'x') order by contype = 'f' desc`);
  for (const { drop } of constraints) await client.query(drop);
  const { rows: indexes } = await client.query<{ name: string; create: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as create from pg_index
     where indrelid = any(${LARGE})`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return async () => {
    // Foreign keys come last: they need the keys that they name.
    const creates = [...constraints].reverse().map(({ create }) => create);
    for (const create of [...indexes.map((index) => index.create), ...creates]) await client.query(create);
  };
}
