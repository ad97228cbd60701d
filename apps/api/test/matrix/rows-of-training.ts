import * as activities from '@sendlap/contract/activities.ts';
import * as badges from '@sendlap/contract/badges.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import * as decisions from '@sendlap/contract/decisions.ts';
import * as kiosks from '@sendlap/contract/kiosks.ts';
import * as boards from '@sendlap/contract/leaderboards.ts';
import * as referees from '@sendlap/contract/referees.ts';
import * as stats from '@sendlap/contract/stats.ts';
import { createInvite } from '#api/modules/invites/service.ts';
import type { MatrixWorld, Recorded } from './matrix-world.ts';
import { anyId, change, forAll, nobodys, ofAda } from './rows.ts';
import type { Row } from './rules.ts';

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
  return { ...about(await world.running()), body: { ...newOp(), ended_at: iso(Date.now() - 1000) } };
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
  change(activities.startActivity, (world) => ({
    body: { client_id: anyId(), ...world.startBody(Date.now() - MINUTE_MS) },
  })),
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
  nobodys(activities.editActivity, NOT_THERE, () => edit(nobody()), KEPT),
  ofAda(activities.appealActivity, { on: 'a rejected activity of Ada', ...OF_ADA }, async (world) =>
    appeal(await world.decided('reject')),
  ),
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
  friend: 'peer_too_new',
  participant: 'peer_too_new',
  'referee of another sport': 'sport_not_refereed',
} as const;

const scans: Row[] = [
  ofAda(
    activities.validateActivity,
    { on: 'the code of Ada', may: ['referee'], others: 'not_a_referee', except: SCANNERS, ...LOGGED },
    async (world) => {
      const climb = await world.finished();
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
  nobodys(decisions.resolveDigits, 'digits_unknown', () => ({ body: { code: '00000000' } })),
  forAll(decisions.listGivenDecisions, undefined, { reveals: /^owner name$/ }),
  ofAda(
    decisions.withdrawDecision,
    { on: 'a decision about Ada', may: ['referee'], others: 'decision_not_found', ...KEPT },
    async (world) => {
      const { client_id, scan_op_id } = await world.decided('confirm', world.of('referee'));
      return { params: { client_id }, body: { ...newOp(), scan_op_id } };
    },
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
  forAll(referees.listMyRefereeRights),
  forAll(referees.listAppeals, undefined, { reveals: OF_APPEALS }),
  change(referees.redeemRefereeInvite, async ({ api, center }) => {
    const invitation = {
      kind: 'referee',
      sport_center_id: center,
      sport_types: ['climbing'],
      right_until: null,
    } as const;
    return { body: { code: (await createInvite(api.database, invitation, new Date())).code } };
  }),
  nobodys(referees.redeemRefereeInvite, 'invite_unknown', () => ({ body: { code: 'aaaabbbbcccc' } })),
];

const tablets: Row[] = [
  forAll(
    kiosks.pairKiosk,
    async ({ api, third }) => {
      const invitation = { kind: 'kiosk', sport_center_id: third, sport_types: [], right_until: null } as const;
      return { body: { code: (await createInvite(api.database, invitation, new Date())).code } };
    },
    { callers: ['without a token'] },
  ),
  nobodys(kiosks.pairKiosk, 'invite_unknown', () => ({ body: { code: 'aaaabbbbcccc' } })),
  forAll(kiosks.listKioskKeys),
  forAll(kiosks.getKioskBoard, undefined, { reveals: /^owner name$/ }),
];

export const ROWS_OF_TRAINING: Row[] = [...ownActivities, ...scans, ...results, ...tablets];
