import type { OpResult } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import type { ClockedWorld } from '../scenes/clocked-world.ts';
import type { Life } from './commands.ts';
import { weeksOf } from './model-score.ts';
import { type Cast, Plan, type Sent } from './plan.ts';
import { showOf } from './steps.ts';

const MAX_OPS = 50;
const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';

/** Creates people for one life at a time, and a kiosk; casts can live concurrently. */
export async function makeCast(world: ClockedWorld, kiosk: Cast['kiosk']): Promise<Cast> {
  const { center, wall } = world;
  const athletes = [await world.makePerson('Ada'), await world.makePerson('Ben'), await world.makePerson('Cleo')];
  const referees = [await world.makePerson('Rex'), await world.makePerson('Roxy')];
  const [ada, ben] = athletes;
  const [rex, roxy] = referees;
  if (!ada || !ben || !rex || !roxy) throw new Error('a user is missing');
  await world.befriend(ada, ben);
  for (const where of [center, wall]) await world.grant(rex, where);
  await world.grant(roxy, center, ['climbing']);
  await world.grant(ben, center, ['swimming']);
  const everything = ['climbing', 'swimming'];
  return {
    athletes,
    referees,
    center,
    wall,
    kiosk,
    rights: {
      referees: new Map([
        [`${rex.id} ${center}`, everything],
        [`${rex.id} ${wall}`, everything],
        [`${roxy.id} ${center}`, ['climbing']],
        [`${ben.id} ${center}`, ['swimming']],
      ]),
      friends: new Set([`${ada.id} ${ben.id}`, `${ben.id} ${ada.id}`]),
      sports: new Map([
        [center, everything],
        [wall, ['climbing']],
      ]),
    },
  };
}

/**
 * Plays one life over HTTP and compares each outcome, and at the end activities, ledger and boards, with the model.
 * Throws at the first difference; returns the outcome of each op (its code if it was refused). Deletes what the cast
 * did before.
 */
export async function playLife(world: ClockedWorld, cast: Cast, life: Life): Promise<string[]> {
  await forget(world, cast);
  const plan = new Plan(cast, life);
  const outcomes: string[] = [];
  for (const group of groupsOf(plan.sent)) {
    const [first] = group;
    if (!first) continue;
    const ops = group.map(({ op }) => op);
    const { status, data, code } = await world.call('POST', '/v1/activities/sync', first.who, first.at, { ops });
    if (status !== 200) throw new Error(`sync answered ${status} ${code}`);
    const results = data.results as OpResult[];
    group.forEach((sent, index) => {
      const { outcome, code } = compareResult(sent, results[index]);
      outcomes.push(`${sent.op.kind} ${code ?? outcome}`);
    });
  }
  await compareEnd(world, cast, plan);
  return outcomes;
}

/** Splits the ops into the batches that one device would send at once. */
function groupsOf(sent: Sent[]): Sent[][] {
  const groups: Sent[][] = [];
  for (const one of sent) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last && first?.who === one.who && first.at === one.at && last.length < MAX_OPS) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function compareResult({ who, op, verdict, shown }: Sent, result: OpResult | undefined): OpResult {
  if (!result) throw new Error(`${op.kind} was not answered`);
  const { outcome, code, activity } = result;
  const is_right = outcome === verdict.outcome && (outcome !== 'rejected' || verdict.codes.includes(code ?? ''));
  const what = `${op.kind} ${op.client_id} by ${who.name} (${op.op_id})`;
  if (!is_right) {
    throw new Error(`${what}: ${outcome} ${code ?? ''}, expected ${verdict.outcome} ${verdict.codes.join(' or ')}`);
  }
  if (!activity || !shown || code === 'idempotency_mismatch') return result;
  const { status, validation, points } = activity;
  assertSame(what, { status, validation, points }, shown);
  return result;
}

/** Deletes all rows of a cast in one statement: foreign keys are checked only at its end. */
async function forget({ api }: ClockedWorld, { athletes, referees }: Cast): Promise<void> {
  const ids = [...athletes, ...referees].map(({ id }) => id);
  await sql`
    with ids as (select unnest(${ids}::uuid[]) as id),
      d1 as (delete from decisions where athlete_id in (select id from ids)),
      d2 as (delete from score_ledger where user_id in (select id from ids)),
      d3 as (delete from board_scores where user_id in (select id from ids)),
      d4 as (delete from validation_log where scanner_id in (select id from ids) or athlete_id in (select id from ids)),
      d5 as (delete from waiting_scans where scanner_id in (select id from ids)),
      d6 as (delete from user_events where user_id in (select id from ids)),
      d7 as (delete from activity_ops where user_id in (select id from ids)),
      d8 as (delete from athlete_weeks where user_id in (select id from ids)),
      d9 as (delete from badges where user_id in (select id from ids))
    delete from activities where user_id in (select id from ids)`.execute(api.database);
}

interface BoardRow {
  period: string;
  sport: string;
  sport_center_id: string;
  points: number;
  reached_at: string;
  friends_points: number;
  friends_reached_at: string;
}

interface Found {
  activities: object[] | null;
  sums: object | null;
  boards: BoardRow[] | null;
  weeks: string[] | null;
}

async function compareEnd({ api }: ClockedWorld, { athletes }: Cast, { model }: Plan): Promise<void> {
  for (const { id: athlete, name } of athletes) {
    const { rows } = await sql<Found>`
      select
        (select jsonb_agg(jsonb_build_object('id', id, 'status', status, 'validation', validation, 'points', points,
            'center', sport_center_id, 'sport', sport_type, 'intensity', intensity, 'distance', distance_m,
            'paused', coalesce(paused_s, 0),
            'started', extract(epoch from started_at) * 1000, 'ended', extract(epoch from ended_at) * 1000,
            'note', proof_note) order by id)
          from activities where user_id = ${athlete}) as activities,
        (select jsonb_object_agg(activity_id, points) from
          (select activity_id, sum(points)::int as points from score_ledger
            where user_id = ${athlete} group by activity_id) l where l.points <> 0) as sums,
        (select jsonb_agg(to_jsonb(b)) from board_scores b where user_id = ${athlete}) as boards,
        (select jsonb_agg(concat_ws(' | ', week_key, points,
            translate(reverse(days::int::bit(7)::text), '01', '-x'), climbs, swims, swum_m, longest_climb_minutes,
            array_to_string(sport_center_ids, ' '), proofs) order by week_key)
          from athlete_weeks where user_id = ${athlete}) as weeks
      `.execute(api.database);
    const [found] = rows;
    const told = model
      .views(athlete)
      .map(({ id, view }) => ({
        id,
        ...showOf(model, athlete, id, view),
        center: view.facts.center,
        sport: view.facts.sport,
        intensity: view.facts.intensity,
        distance: view.facts.distance,
        paused: view.facts.paused,
        started: view.facts.started,
        ended: view.facts.ended,
        note: view.note,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    assertSame(`the activities of ${name}`, found?.activities ?? [], told);
    const points = Object.fromEntries([...model.points(athlete)].filter(([, each]) => each !== 0));
    assertSame(`the ledger of ${name}`, found?.sums ?? {}, points);
    // A row whose points went back to 0 stays.
    const boards = (found?.boards ?? []).filter((row) => row.points > 0 || row.friends_points > 0).map(toLine);
    assertSame(`the boards of ${name}`, boards.sort(), model.boards(athlete));
    assertSame(`the weeks of ${name}`, found?.weeks ?? [], weeksOf(model.proven(athlete)));
  }
}

function toLine(row: BoardRow): string {
  const { period, sport, sport_center_id, points, friends_points } = row;
  const board = `${period} ${sport} ${sport_center_id === ALL_CENTERS ? 'everywhere' : sport_center_id}`;
  const reached = new Date(row.reached_at).toISOString();
  return `${board} ${points} ${reached}, friends ${friends_points} ${new Date(row.friends_reached_at).toISOString()}`;
}

function assertSame(what: string, is: unknown, should_be: unknown): void {
  const [found, expected] = [sorted(is), sorted(should_be)];
  if (found !== expected) throw new Error(`${what}: is\n${found}\nshould be\n${expected}`);
}

/** JSON with its fields in a fixed order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
