import type { SourcePatch } from '../source-patches.ts';

/** Source edits, each of which breaks one rule. */
export const RULE_PATCHES: Record<string, SourcePatch[]> = {
  no_reversal: [
    {
      file: 'modules/activities/points/redistribute-points.ts',
      find: "if (before.status === 'validated') entries.push(toLedgerEntry(before, 'reversal', -before.points));",
      replace: '',
    },
  ],
  order_of_arrival: [
    {
      file: 'domain/src/decision-in-force.ts',
      find: 'return a.scanned_at_ms - b.scanned_at_ms || (a.op_id < b.op_id ? -1 : Number(a.op_id > b.op_id));',
      replace: 'return 0;',
    },
  ],
  proof_outlives_edit: [
    {
      file: 'domain/src/decision-in-force.ts',
      find: 'if (edited_at_ms === null || scanned_at_ms >= edited_at_ms) return false;',
      replace: 'if (edited_at_ms !== Number.NaN) return false;',
    },
  ],
  recorded_again: [
    {
      file: 'modules/activities/ops/decide-scan.ts',
      find: 'if (rejections.some((one) => mayNot(one.scanner_id) && isAbout(one.facts)))',
      replace: 'if (rejections.length < 0)',
    },
  ],
  friends_on_boards: [
    {
      file: 'modules/leaderboards/board-scores.ts',
      find: "entries.filter(({ validation }) => validation === 'venue' || validation === 'referee')",
      replace: 'entries',
    },
  ],
  weeks_kept: [
    {
      file: 'modules/stats/athlete-weeks.ts',
      find: "const emptied = weeks.filter(({ proofs }) => proofs === '')",
      replace: 'const emptied = weeks.filter(() => false)',
    },
  ],
};
