import type { ErrorCode } from '@sendlap/contract/errors.ts';
import type { RefereeRight } from '@sendlap/contract/referees.ts';
import type { ActivityCode } from '@sendlap/domain/qr-code.ts';
import { checkActivityScan } from '@sendlap/domain/scan-checks.ts';
import type { ScannedCode } from './scanned-code.ts';

export interface Referee {
  public_id: string;
  /** null: this device never heard which rights there are. */
  rights: RefereeRight[] | null;
  /** The server said so just now; an older copy may have missed a new right. */
  rights_fresh: boolean;
}

/**
 * What stands before a decision. `stop`: the server would refuse it, so it is not offered. `doubt`: this device can't
 * know, because its copy of the rights may be old; the decision may be recorded and the server judges it.
 */
export type Verdict =
  | { kind: 'clear' }
  | { kind: 'doubt'; code: 'not_a_referee' | 'sport_not_refereed' | 'rights_unknown' }
  | { kind: 'stop'; code: ErrorCode };

/** The checks that need nobody else, in the server's order and by the same rules. */
export function checkBeforeActing({ code, scanned }: ScannedCode, referee: Referee): Verdict {
  if (code.public_id === referee.public_id) return { kind: 'stop', code: 'own_activity' };
  const scanned_at_ms = scanned.now_ms + scanned.clock.offset_ms;
  const refusal = checkActivityScan({
    code_step: code.step,
    scanned_at_ms,
    recorded_offline: !scanned.online,
    started_at_ms: code.started_at,
    ended_at_ms: code.ended_at,
    now_ms: scanned_at_ms,
    last_accepted_step: null,
  });
  if (refusal) return { kind: 'stop', code: refusal };
  const missing = missingRight(code, referee.rights, scanned_at_ms);
  if (missing === null) return { kind: 'clear' };
  if (missing !== 'rights_unknown' && referee.rights_fresh) return { kind: 'stop', code: missing };
  return { kind: 'doubt', code: missing };
}

function missingRight(
  code: ActivityCode,
  rights: RefereeRight[] | null,
  at_ms: number,
): 'not_a_referee' | 'sport_not_refereed' | 'rights_unknown' | null {
  if (rights === null) return 'rights_unknown';
  const here = rights.filter(
    ({ sport_center_id, valid_until }) =>
      sport_center_id === code.sport_center_id && (valid_until === null || at_ms < Date.parse(valid_until)),
  );
  if (here.length === 0) return 'not_a_referee';
  return here.some((right) => right.sport_types.includes(code.sport_type)) ? null : 'sport_not_refereed';
}
