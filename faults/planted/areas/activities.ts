import type { Area } from '../fault.ts';

const API = 'apps/api/src/modules/activities';
const STEPS = [`${API}/activities.test.ts`, `${API}/steps/*.test.ts`];
const SCANS = [`${API}/scan.test.ts`, `${API}/scan-refusals.test.ts`, `${API}/proofs/*.test.ts`];

export const ACTIVITIES: Area = {
  area: 'activities',
  faults: [
    {
      name: 'next-activity-may-not-begin-at-once',
      file: `${API}/checks.ts`,
      find: 'other.ended_at > row.started_at',
      replace: 'other.ended_at >= row.started_at',
      harm: 'An activity that begins in the second in which the last one ended is refused.',
      tests: STEPS,
    },
    {
      name: 'activity-without-length',
      file: `${API}/checks.ts`,
      find: 'if (duration_ms <= 0 ||',
      replace: 'if (duration_ms < 0 ||',
      harm: 'An activity that ends when it begins is taken.',
      tests: [...STEPS, `${API}/odd-times.test.ts`],
    },
    {
      name: 'activity-of-another-athlete-is-shown',
      file: `${API}/store.ts`,
      find: "    .where('user_id', '=', user_id)\n    .where('activities.id', '=', id)",
      replace: "    .where('activities.id', '=', id)",
      harm: 'Whoever knows its id can read the activity of another athlete.',
      tests: STEPS,
    },
    {
      name: 'writers-do-not-wait-for-each-other',
      file: `${API}/store.ts`,
      find: 'order by id for no key update`',
      replace: 'order by id`',
      harm: 'Two phones of one athlete that sync at once book points twice, or none.',
      tests: [`${API}/lives-orders.test.ts`, `${API}/lives.test.ts`, ...STEPS, ...SCANS],
    },
    {
      name: 'referee-adds-time',
      file: `${API}/proofs/decide-scan.ts`,
      find: 'Date.parse(adjust.ended_at) > code.ended_at',
      replace: 'Date.parse(adjust.ended_at) < code.ended_at',
      harm: 'A referee can make an activity longer, and not shorter.',
      tests: SCANS,
    },
    {
      name: 'pair-limit-off-by-one',
      file: `${API}/proofs/decide-scan.ts`,
      find: 'of_pair.length >= MAX_PAIR_CONFIRMATIONS',
      replace: 'of_pair.length > MAX_PAIR_CONFIRMATIONS',
      harm: 'One referee confirms the same athlete four times a day.',
      tests: SCANS,
    },
    {
      name: 'new-friend-confirms-after-minutes',
      file: `${API}/proofs/right.ts`,
      find: 'FRIEND_FOR_MS = 24 * 3_600_000',
      replace: 'FRIEND_FOR_MS = 24 * 60_000',
      harm: 'Strangers become friends and confirm each other half an hour later.',
      tests: SCANS,
    },
    {
      name: 'points-are-not-taken-back',
      file: `${API}/settle.ts`,
      find: "entry(before, 'reversal', -before.points)",
      replace: "entry(before, 'reversal', 0)",
      harm: 'A corrected activity keeps the points of its old proof in the ledger.',
      tests: [...STEPS, ...SCANS, `${API}/score/*.test.ts`],
    },
    {
      name: 'repeated-op-is-carried-out-again',
      file: `${API}/steps/apply-locked.ts`,
      find: 'if (found.known) {',
      replace: 'if (found.known?.outcome === null) {',
      harm: 'An op whose answer got lost fails when the phone sends it again.',
      tests: STEPS,
    },
    {
      name: 'op-id-takes-another-request',
      file: `${API}/steps/apply-locked.ts`,
      find: 'if (!known.body_hash.equals(body_hash)) {',
      replace: 'if (known.body_hash.length !== body_hash.length) {',
      harm: 'Another request under a used id is told that it was done.',
      tests: STEPS,
    },
    {
      name: 'early-scan-is-never-joined',
      file: `${API}/steps/apply-locked.ts`,
      find: 'found.is_awaited && ENDS_WAITING.has(op.kind)',
      replace: "found.is_awaited && op.kind === 'delete'",
      harm: 'A scan that came before the athlete was online stays without effect.',
      tests: SCANS,
    },
    {
      name: 'edit-keeps-the-proof',
      file: 'packages/domain/src/standing-decision.ts',
      find: 'if (edited_at_ms === null || scanned_at_ms >= edited_at_ms) return false;',
      replace: 'if (edited_at_ms === null || scanned_at_ms <= edited_at_ms) return false;',
      harm: 'An athlete doubles the distance after the referee confirmed it, and keeps the proof.',
      tests: ['packages/domain/src/standing-decision.test.ts', ...STEPS],
    },
  ],
};
