import { isGone } from './people.ts';
import type { Rehearsal } from './rehearse.ts';
import type { KindResult } from './restore-results.ts';

interface Damage {
  acknowledged: number;
  /** Acknowledged, and not in the backup. */
  missing_in_backup: number;
  lost: number;
  doubled: number;
  wrongly_refused: number;
  /** Phones with work that is not sent, or whose user could not sign in. */
  stuck: number;
  /** Of accounts that the backup does not have: sealed on the phone. */
  kept: number;
  /** Of chats that the backup does not have: shown to the athlete with the reason. */
  refused: number;
}

export function countDamage({ kinds }: Rehearsal): Damage {
  const [acknowledged, missing_in_backup, lost, doubled, wrongly_refused, stuck, kept, refused] = [
    0, 0, 0, 0, 0, 0, 0, 0,
  ];
  const damage: Damage = { acknowledged, missing_in_backup, lost, doubled, wrongly_refused, stuck, kept, refused };
  for (const end of kinds) {
    damage.acknowledged += end.acknowledged;
    damage.missing_in_backup += end.missing_in_backup;
    for (const fates of [end.fates, end.unsent_fates]) {
      damage.lost += fates.lost;
      damage.doubled += fates.doubled;
      damage.kept += isGone(end.kind) ? fates.kept : 0;
    }
    const due = end.refusals.filter((code) => end.kind === 'chat since the backup' && code === CHAT_GONE).length;
    damage.refused += due;
    damage.wrongly_refused += end.refusals.length - due;
    damage.stuck += end.stuck;
  }
  return damage;
}

const CHAT_GONE = 'chat_not_found';

const COLUMNS = ['acknowledged', 'missing_in_backup', 'there', 'kept', 'refused', 'lost', 'doubled', 'stuck'];

export function printRehearsal({ kinds }: Rehearsal): void {
  console.log(`${''.padEnd(28)}${COLUMNS.map((name) => name.padStart(13)).join('')}`);
  for (const end of kinds) {
    const cells = cellsOf(end).map((cell) => String(cell).padStart(13));
    const codes = [...new Set(end.refusals)].join(', ');
    console.log(`${end.kind.padEnd(28)}${cells.join('')}${codes ? `   ${codes}` : ''}`);
  }
}

function cellsOf({ acknowledged, missing_in_backup, fates, unsent_fates, stuck }: KindResult): number[] {
  const both = (fate: keyof KindResult['fates']) => fates[fate] + unsent_fates[fate];
  const [there, kept, refused] = [both('there'), both('kept'), both('refused')];
  return [acknowledged, missing_in_backup, there, kept, refused, both('lost'), both('doubled'), stuck];
}
