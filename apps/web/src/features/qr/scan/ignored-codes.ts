/** After a sheet was closed the code often still lies in the frame; it is not read again this soon. */
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
    /** Leaves the hand time to move on. `identity`: what was read, whatever its step. */
    pause: (identity: string) => void paused_until.set(identity, now() + PAUSE_MS),
    /** Decided on this screen by this step, and on the disk: reading it again would only ask twice. */
    settle: (identity: string, op_id: string) => void decided_by.set(identity, op_id),
    state(identity: string): 'paused' | 'settled' | null {
      const op_id = decided_by.get(identity);
      if (op_id !== undefined && !isRefused(op_id)) return 'settled';
      return now() < (paused_until.get(identity) ?? 0) ? 'paused' : null;
    },
  };
}
