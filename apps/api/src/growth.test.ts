import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { makeCenter } from '#test/factories.ts';
import { makePairs, type Pair } from '#test/measured/chat-people.ts';
import type { Database, Trx } from './database/database.ts';
import { listGivenDecisions } from './modules/activities/given-decisions.ts';
import { listFlags, listFlagsAt } from './modules/activities/points/flags.ts';
import { selectValidationsGiven } from './modules/badges/store.ts';
import { listMessages } from './modules/chats/store.ts';
import { listUsers } from './modules/people/store.ts';
import { createCenterWeeksService } from './modules/stats/center-weeks.ts';

/** A server of five years; the last 90 days hold one of twenty of its activities. */
const ACTIVITIES = 8_000;
const ATHLETES = 100;
const RECENT = ACTIVITIES / 20;
/** At the center whose managers look at it. */
const AT_CENTER = ACTIVITIES / 100;

let test_database: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
let center: string;
let referee_id: string;
let chat: Pair;
beforeAll(async () => {
  test_database = await openTestDatabase();
  ({ database } = test_database);
  center = await makeCenter(database);
  const other_center = await makeCenter(database);
  await sql`
    insert into users (id, public_id, email, name, created_at)
    select gen_random_uuid(), 'grown-' || n, 'grown-' || n || '@example.org', 'Athlete ' || md5(n::text),
      now() - n * interval '1 hour'
    from generate_series(1, ${ATHLETES * 40}::int) n`.execute(database);
  await sql`
    insert into activities (id, user_id, sport_center_id, sport_type, started_at, ended_at, status, validation, points,
      rule_version, local_date, week_key, decision_id, decided_by)
    select gen_random_uuid(), athlete.id, case when n % 100 = 0 then ${center}::uuid else ${other_center}::uuid end,
      'climbing', start, start + interval '1 hour', 'validated', 'referee', 236, 'met-2', start::date,
      to_char(start, 'IYYY-"W"IW'), gen_random_uuid(), referee.id
    from (select n, now() - (${ACTIVITIES}::int - n + 1) * interval '5 years' / ${ACTIVITIES}::int as start
        from generate_series(1, ${ACTIVITIES}::int) n) visit
      join users athlete on athlete.public_id = 'grown-' || 1 + n / 7 % ${ATHLETES}::int
      join users referee on referee.public_id = 'grown-' || 2000 + n % ${ATHLETES}::int
    order by visit.start`.execute(database);
  await sql`
    insert into decisions (id, athlete_id, activity_id, scanner_id, op_id, method, decision, scanned_at, facts,
      received_at)
    select decision_id, user_id, id, decided_by, decision_id, 'referee', 'confirm', ended_at,
      jsonb_build_object('sport_center_id', sport_center_id, 'started_at', started_at, 'ended_at', ended_at), ended_at
    from activities order by ended_at`.execute(database);
  const referee = database.selectFrom('users').select('id').where('public_id', '=', 'grown-2000');
  referee_id = (await referee.executeTakeFirstOrThrow()).id;
  const [long_chat] = await makePairs(database, 200, 5);
  if (!long_chat) throw new Error('there is no chat');
  chat = long_chat;
  await sql`
    insert into messages (id, chat_id, seq, sender_id, text, created_at)
    select gen_random_uuid(), id, seq, user_low, 'Hello', now()
    from chats, lateral generate_series(1, case when id = ${chat.chat_id}::uuid then 1500 else 4 end) seq
    order by random()`.execute(database);
  await sql`update chats set last_seq = case when id = ${chat.chat_id}::uuid then 1500 else 4 end`.execute(database);
  await sql`insert into referees (id, user_id, sport_center_id, sport_types, granted_by, valid_from)
    select gen_random_uuid(), id, case when public_id = 'grown-2000' then ${center}::uuid else ${other_center}::uuid end,
      '{climbing}', 'test', now() - interval '1 day'
    from users, generate_series(1, 10) where public_id like 'grown-2%'`.execute(database);
  await sql`insert into badges (user_id, badge, earned_at) values (${referee_id}, 'official_200', now())`.execute(
    database,
  );
  await sql`vacuum analyze`.execute(database);
});
afterAll(() => test_database.close());

/** More often than PostgreSQL plans a statement for its values: five times. */
const PAGES = 10;

async function readPages(trx: Trx): Promise<void> {
  for (let nth = 0; nth < PAGES; nth += 1) {
    const page = { chat_id: chat.chat_id, limit: 50, offset: 0 };
    expect(JSON.parse((await listMessages(trx, chat.sender_id, page)) ?? '')).toHaveLength(50);
  }
}

test.each<[string, number, (trx: Trx) => Promise<unknown>]>([
  // Three questions of each decision and its activity.
  ['the reviews of the last 90 days', RECENT * 8, (trx) => listFlags(trx)],
  ['the reviews of a center', AT_CENTER * 3, (trx) => listFlagsAt(trx, center, new Date())],
  [
    'the last eight weeks of a center',
    AT_CENTER,
    (trx) => createCenterWeeksService(trx, () => new Date()).getWeeks(center),
  ],
  ['the newest decisions of a referee', 80, (trx) => listGivenDecisions(trx, referee_id, { limit: 20 }, new Date())],
  ['pages of a long chat among short ones', PAGES * 150, readPages],
  [
    'what a referee with every badge has confirmed',
    5,
    (trx) => sql`select ${selectValidationsGiven(referee_id)}`.execute(trx),
  ],
  // Those of the chats are equally new.
  ['the list of people', 1_500, (trx) => listUsers(trx, { limit: 20 }, new Date())],
  ['the search for a person', 50, (trx) => listUsers(trx, { q: 'grown-77', limit: 20 }, new Date())],
])('%s read what they answer, not five years', async (_name, at_most, read) => {
  expect(await countRowsRead(database, read)).toBeLessThan(at_most);
});
