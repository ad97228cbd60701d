import type { SourcePatch } from '../source-patches.ts';

const never = (file: string, condition: string): SourcePatch => ({
  file,
  find: `if (${condition})`,
  replace: `if (Math.random() < 0 && (${condition}))`,
});
const without = (file: string, find: string): SourcePatch => ({ file, find, replace: '' });

const ACTIVITIES = 'src/modules/activities';

/** Source edits that switch off every check the attacks target: without the checks the attacks must succeed. */
export const CHECKS_SWITCHED_OFF: SourcePatch[] = [
  {
    file: 'domain/src/scan-checks.ts',
    find: "if (scan.ended_at_ms === null) return 'activity_not_finished';",
    replace: 'if (scan.now_ms > 0) return null;',
  },
  {
    file: 'domain/src/scoring.ts',
    find: "declared === 'hard' && !input.intensity_confirmed ? 'moderate' : declared",
    replace: 'declared',
  },
  {
    file: 'domain/src/activity-states.ts',
    find: "edit: refuse('activity_rejected')",
    replace: "edit: moveTo('finished')",
  },
  {
    file: 'domain/src/decision-in-force.ts',
    find: 'if (edited_at_ms === null || scanned_at_ms >= edited_at_ms) return false;',
    replace: 'if (edited_at_ms !== Number.NaN) return false;',
  },
  never('src/modules/devices/service.ts', '!timingSafeEqual(expected, mac)'),
  never('src/modules/devices/service.ts', 'device.revoked_at !== null && device.revoked_at <= scanned_at'),
  never(`${ACTIVITIES}/proofs/verify-scan.ts`, 'Math.abs(op.clock.jump_ms ?? 0) > MAX_CLOCK_JUMP_MS'),
  never(`${ACTIVITIES}/proofs/verify-scan.ts`, 'athlete_id === scanner_id'),
  {
    file: `${ACTIVITIES}/proofs/scan-method.ts`,
    find: "if (is_referee && !shares_installation) return 'referee';",
    replace: "if (scan.op.op_id !== '') return 'referee';",
  },
  never(`${ACTIVITIES}/ops/decide-scan.ts`, 'late_ms > MAX_SCAN_AGE_MS'),
  without(`${ACTIVITIES}/ops/decide-scan.ts`, 'checkAdjustment(scan);'),
  without(`${ACTIVITIES}/ops/decide-scan.ts`, 'assertStorable(before, found.decisions, decided);'),
  never(`${ACTIVITIES}/ops/decide-scan.ts`, 'findOverlap(row, found.others)'),
  without(`${ACTIVITIES}/ops/decide-scan.ts`, 'checkCaps(row, found, scan.scanner_id);'),
  without(
    `${ACTIVITIES}/ops/decide-scan.ts`,
    "if (op.decision === 'confirm') assertValidDuration(started_at, ended_at);",
  ),
  never(`${ACTIVITIES}/record/checks.ts`, 'at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS'),
  never(`${ACTIVITIES}/record/checks.ts`, 'at.getTime() < now.getTime() - MAX_AGE_MS'),
  never(`${ACTIVITIES}/record/checks.ts`, '!center.sport_facilities.some((facility) => facility.type === sport_type)'),
  {
    file: `${ACTIVITIES}/record/checks.ts`,
    find: 'if (!other) return;',
    replace: 'if (row) return;',
  },
  never(`${ACTIVITIES}/proofs/verify-venue-scan.ts`, 'kiosk.sport_center_id !== sport_center_id'),
  never('src/modules/kiosks/verify-kiosk-code.ts', 'steps_off > 1'),
  never(
    'src/modules/kiosks/verify-kiosk-code.ts',
    '!timingSafeEqual(expected, mac) || code.sport_center_id !== key.sport_center_id || day !== key.day',
  ),
  never(`${ACTIVITIES}/ops/withdraw-decision.ts`, 'now.getTime() > withdrawableUntil(decision.decided_at)'),
];
