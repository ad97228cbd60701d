/** After a sheet closes, the code is often still in the frame; it is not read again for this long. */
const PAUSE_MS = 3_000;

interface IgnoredCodesDeps {
  /** ms */
  now: () => number;
  /** A decision that the server refused may be repeated with a fresh code. */
  isRefused: (op_id: string) => boolean;
}

export function createIgnoredCodes({ now, isRefused }: IgnoredCodesDeps) {
  const paused_until = new Map<string, number>();
  const decided_by = new Map<string, string>();
  return {
    /** Leaves the hand time to move away. `identity`: the same for all time steps of a code. */
    pause: (identity: string) => void paused_until.set(identity, now() + PAUSE_MS),
    /** Decided on this screen by this op, which is on the disk: reading the code again would only ask twice. */
    markDecided: (identity: string, op_id: string) => void decided_by.set(identity, op_id),
    state(identity: string): 'paused' | 'settled' | null {
      const op_id = decided_by.get(identity);
      if (op_id !== undefined && !isRefused(op_id)) return 'settled';
      return now() < (paused_until.get(identity) ?? 0) ? 'paused' : null;
    },
  };
}
