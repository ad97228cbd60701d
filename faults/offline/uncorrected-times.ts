/** The change of the control arm: the app takes the time of a phone for right whose clock was set. */
export const UNCORRECTED_TIMES = {
  file: 'apps/web/src/shared/outbox/store/judge-time.ts',
  find: 'if (!clock) return { row, noted_ms: savedTime(row), move_ms: 0, possible_ms: [] };',
  replace: 'if (row) return { row, noted_ms: savedTime(row), move_ms: 0, possible_ms: [] };',
};
