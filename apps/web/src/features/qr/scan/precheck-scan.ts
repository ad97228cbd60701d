import type { RefereeRight } from '@sendlap/contract/referees.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { ActivityCode } from '@sendlap/domain/qr-code.ts';
import { checkActivityScan, MAX_CLOCK_JUMP_MS } from '@sendlap/domain/scan-checks.ts';
import type { ScannedCode } from './scanned-code.ts';

export interface ScanningUser {
  public_id: string;
  /** null: this device has never loaded the user's rights. */
  rights: RefereeRight[] | null;
  /** Loaded just now; an older copy may lack a new right. */
  rights_fresh: boolean;
}

/**
 * `stop`: the server would refuse the decision, so it is not offered. `doubt`: the cached rights may be old; the
 * decision may be recorded, and the server judges it. `peer`: without a right here only a friend can confirm, and only
 * the server knows the friends.
 */
export type Verdict =
  | { kind: 'referee' }
  | { kind: 'doubt'; code: 'sport_not_refereed' | 'rights_unknown' }
  | { kind: 'peer'; rights_fresh: boolean }
  | { kind: 'stop'; code: ErrorCode };

/** The checks that work without the server, in its order and by its rules. */
export function precheckScan({ code, scanned }: ScannedCode, scanner: ScanningUser): Verdict {
  if (code.public_id === scanner.public_id) return { kind: 'stop', code: 'own_activity' };
  if (Math.abs(scanned.clock.jump_ms) > MAX_CLOCK_JUMP_MS) return { kind: 'stop', code: 'clock_jumped' };
  const scanned_at_ms = scanned.now_ms + scanned.clock.offset_ms;
  const refusal = checkActivityScan({
    code_time_step: code.step,
    scanned_at_ms,
    recorded_offline: !scanned.online,
    started_at_ms: code.started_at,
    ended_at_ms: code.ended_at,
    now_ms: scanned_at_ms,
    last_accepted_time_step: null,
  });
  if (refusal) return { kind: 'stop', code: refusal };
  return checkRight(code, scanner, scanned_at_ms);
}

function checkRight(code: ActivityCode, { rights, rights_fresh }: ScanningUser, at_ms: number): Verdict {
  if (rights === null) return { kind: 'doubt', code: 'rights_unknown' };
  const rights_here = rights.filter(
    ({ sport_center_id, valid_until }) =>
      sport_center_id === code.sport_center_id && (valid_until === null || at_ms < Date.parse(valid_until)),
  );
  if (rights_here.length === 0) return { kind: 'peer', rights_fresh };
  if (rights_here.some((right) => right.sport_types.includes(code.sport_type))) return { kind: 'referee' };
  return rights_fresh ? { kind: 'stop', code: 'sport_not_refereed' } : { kind: 'doubt', code: 'sport_not_refereed' };
}
