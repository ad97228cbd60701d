import * as activities from '@sendlap/contract/activities.ts';
import * as badges from '@sendlap/contract/badges.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import * as decisions from '@sendlap/contract/decisions.ts';
import * as kiosks from '@sendlap/contract/kiosks.ts';
import * as boards from '@sendlap/contract/leaderboards.ts';
import * as referees from '@sendlap/contract/referees.ts';
import * as stats from '@sendlap/contract/stats.ts';
import type { MatrixWorld, Recorded } from './matrix-world.ts';
import { anyId, forAll, NOTHING, nobodys, ofAda } from './rows.ts';
import type { Answer, Row } from './rules.ts';

/** The outcome of an op is kept, so that a repeat gets the same one. */
export const KEPT = { notes: ['activity_ops'] };
export const OF_ADA = { others: 'activity_not_found', ...KEPT } as const;
const NOT_THERE = 'activity_not_found';
const ON_BOARDS = /^owner (name|public_id)$/;
/** Referees of the center are asked to decide. */
const OF_APPEALS = /^owner (name|appeal|appealed activity)$/;
const MINUTE_MS = 60_000;

const iso = (at: number) => new Date(at).toISOString();
const about = ({ client_id }: { client_id: string }) => ({ params: { client_id } });
const newOp = () => ({ op_id: anyId() });

async function finishBody(world: MatrixWorld) {
  const running = await world.running();
  return { ...about(running), body: { ...newOp(), ended_at: iso(Date.now()), intensity: 'easy', paused_s: 0 } };
}

const edit = (climb: Recorded) => ({
  ...about(climb),
  body: { ...newOp(), edited_at: iso(Date.now()), intensity: 'easy' },
});
const appeal = (climb: Recorded) => ({ ...about(climb), body: { ...newOp(), appealed_at: iso(Date.now()) } });
const remove = (climb: Recorded) => ({ ...about(climb), body: newOp() });
const nobody = (): Recorded => ({ client_id: anyId(), started_at: Date.now(), ended_at: Date.now() });

const ownActivities: Row[] = [
  forAll(activities.listActivities),
  nobodys(
    activities.startActivity,
    'sport_center_not_found',
    (world) => ({ body: { client_id: anyId(), ...world.startBody(Date.now()), sport_center_id: anyId() } }),
    { on: `${NOTHING}, a center`, ...KEPT },
  ),
  ofAda(activities.getActivity, { on: 'an activity of Ada', ...OF_ADA }, async (world) =>
    about(await world.finished()),
  ),
  nobodys(activities.getActivity, NOT_THERE, () => about(nobody())),
  ofAda(activities.finishActivity, { on: 'an activity of Ada', ...OF_ADA }, finishBody),
  nobodys(
    activities.finishActivity,
    NOT_THERE,
    () => ({
      ...about(nobody()),
      body: { ...newOp(), ended_at: iso(Date.now()) },
    }),
    KEPT,
  ),
  ofAda(activities.editActivity, { on: 'an activity of Ada', ...OF_ADA }, async (world) =>
    edit(await world.finished()),
  ),
  ofAda(activities.editActivity, { on: 'a confirmed activity of Ada, another sport', ...OF_ADA }, async (world) => {
    const call = edit(await world.decided('confirm'));
    return { ...call, body: { ...call.body, sport_type: 'swimming' } };
  }),
  ofAda(
    activities.editActivity,
    { on: 'an activity of Ada, no center', ...OF_ADA, may: [], except: { owner: 'sport_center_not_found' } },
    async (world) => {
      const call = edit(await world.finished());
      return { ...call, body: { ...call.body, sport_center_id: anyId() } };
    },
  ),
  ofAda(activities.editActivity, { on: 'an activity of Ada, another center', ...OF_ADA }, async (world) => {
    const call = edit(await world.finished());
    return { ...call, body: { ...call.body, sport_center_id: world.elsewhere } };
  }),
  nobodys(activities.editActivity, NOT_THERE, () => edit(nobody()), KEPT),
  ofAda(activities.appealActivity, { on: 'a rejected activity of Ada', ...OF_ADA }, async (world) =>
    appeal(await world.decided('reject')),
  ),
  ofAda(activities.appealActivity, { on: 'a rejected activity of Ada, with a reason', ...OF_ADA }, async (world) => {
    const call = appeal(await world.decided('reject'));
    return { ...call, body: { ...call.body, reason: 'I was there' } };
  }),
  nobodys(activities.appealActivity, NOT_THERE, () => appeal(nobody()), KEPT),
  ofAda(activities.deleteActivity, { on: 'an activity of Ada', ...OF_ADA }, async (world) =>
    remove(await world.finished()),
  ),
  nobodys(activities.deleteActivity, NOT_THERE, () => remove(nobody()), KEPT),
];

/** The log of scans keeps refused ones too. */
export const LOGGED = { notes: ['validation_log', 'activity_ops'] };
export const SCANNERS = {
  owner: 'own_activity',
  friend: 'peer_not_there',
  participant: 'peer_too_new',
  'referee of another sport': 'sport_not_refereed',
} as const;

export const BY_REFEREE = { may: ['referee'], others: 'not_a_referee', except: SCANNERS, ...LOGGED } as const;

/** Bodies of a scan; `of_friend` is the answer to an old friend who was there too. */
export const SCANS: { body: string; of_friend: Answer; fields: object }[] = [
  { body: 'confirmed', of_friend: 'ok', fields: {} },
  { body: 'rejected', of_friend: 'peer_cannot_decide', fields: { decision: 'reject', reason: 'Not seen' } },
  { body: 'corrected', of_friend: 'peer_cannot_decide', fields: { adjust: { intensity: 'easy' } } },
];

/** A scan of a new activity of Ada's, at which her friend was too. */
export async function newScan(world: MatrixWorld): Promise<Recorded> {
  await world.makeRoom();
  return world.finished(world.of('friend'));
}

const nobodyOf = (ms: number): Recorded => ({ ...nobody(), started_at: Date.now() - ms, ended_at: Date.now() - 1000 });

const scans: Row[] = [
  ofAda(activities.validateActivity, { on: 'the code of Ada', ...BY_REFEREE }, async (world) => {
    await world.makeRoom();
    const climb = await world.finished();
    return () => ({ body: world.scanBody(climb) });
  }),
  ...SCANS.map(({ body, of_friend, fields }) =>
    ofAda(
      activities.validateActivity,
      {
        on: `the code of Ada beside a friend, ${body}`,
        ...BY_REFEREE,
        except: { ...SCANNERS, friend: of_friend },
      },
      async (world) => {
        const climb = await newScan(world);
        return () => ({ body: world.scanBody(climb, fields) });
      },
    ),
  ),
  ofAda(
    activities.validateActivity,
    { on: 'the digits of Ada, rejected', may: ['referee'], others: 'digits_unknown', ...LOGGED },
    async (world) => {
      const climb = await world.finished();
      return () => {
        const { payload: _payload, ...body } = world.scanBody(climb, { decision: 'reject', reason: 'Not seen' });
        return { body: { ...body, code: world.codeOf(climb).digits } };
      };
    },
  ),
  ofAda(
    activities.validateActivity,
    { on: 'a code of Ada, whose activity has not arrived', ...BY_REFEREE },
    (world) => {
      const climb = nobodyOf(10 * MINUTE_MS);
      return () => ({ body: world.scanBody(climb) });
    },
  ),
  nobodys(
    activities.validateActivity,
    'device_unknown',
    (world) => {
      const device = { ...world.device, key_id: anyId() };
      return () => ({ body: world.scanBody(nobody(), {}, device) });
    },
    LOGGED,
  ),
  ofAda(
    decisions.resolveDigits,
    { on: 'the digits of Ada', may: ['referee'], others: 'digits_unknown' },
    async (world) => {
      const climb = await world.finished();
      return () => ({ body: { code: world.codeOf(climb).digits } });
    },
  ),
  ofAda(
    decisions.resolveDigits,
    { on: 'the digits of Ada beside a friend', may: ['referee', 'friend'], others: 'digits_unknown' },
    async (world) => {
      const climb = await newScan(world);
      return () => ({ body: { code: world.codeOf(climb).digits } });
    },
  ),
  nobodys(decisions.resolveDigits, 'digits_unknown', () => ({ body: { code: '00000000' } })),
  forAll(decisions.listGivenDecisions, undefined, { reveals: /^owner name$/ }),
  ...(['confirm', 'reject'] as const).map((decision) =>
    ofAda(
      decisions.withdrawDecision,
      { on: `a decision about Ada, ${decision}`, may: ['referee'], others: 'decision_not_found', ...KEPT },
      async (world) => {
        await world.makeRoom();
        const { client_id, scan_op_id } = await world.decided(decision, world.of('referee'));
        return { params: { client_id }, body: { ...newOp(), scan_op_id } };
      },
    ),
  ),
  nobodys(
    decisions.withdrawDecision,
    'decision_not_found',
    () => ({
      params: { client_id: anyId() },
      body: { ...newOp(), scan_op_id: anyId() },
    }),
    KEPT,
  ),
];

const results: Row[] = [
  forAll(badges.listBadges),
  forAll(getDashboard),
  forAll(stats.getSkills),
  forAll(stats.getTrend),
  forAll(stats.getRecap),
  forAll(boards.getLeaderboard, undefined, { reveals: ON_BOARDS, on: 'the public board' }),
  forAll(boards.getLeaderboard, () => ({ query: { scope: 'friends' } }), { on: 'the board of their friends' }),
  forAll(boards.getSurrounding, undefined, { reveals: ON_BOARDS }),
  ...[boards.getLeaderboard, boards.getSurrounding].map((endpoint) =>
    forAll(endpoint, ({ center }) => ({ query: { sport_center_id: center } }), {
      reveals: ON_BOARDS,
      on: 'the board of a center',
    }),
  ),
  ...[boards.getLeaderboard, boards.getSurrounding].map((endpoint) =>
    nobodys(endpoint, 'sport_center_not_found', () => ({ query: { sport_center_id: anyId() } })),
  ),
  forAll(referees.listMyRefereeRights),
  forAll(referees.listAppeals, undefined, { reveals: OF_APPEALS }),
];

const tablets: Row[] = [
  forAll(kiosks.listKioskKeys),
  forAll(kiosks.getKioskBoard, undefined, { reveals: /^owner name$/ }),
];

export const ROWS_OF_TRAINING: Row[] = [...ownActivities, ...scans, ...results, ...tablets];
