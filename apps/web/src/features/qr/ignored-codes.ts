/** After a sheet was closed the code often still lies in the frame; it is not read again this soon. */
const PAUSE_MS = 3_000;

export interface IgnoredCodes {
  /** Leaves the hand time to move on. */
  pause(activity_id: string): void;
  /** Decided on this screen by this step, and on the disk: reading it again would only ask twice. */
  settle(activity_id: string, op_id: string): void;
  state(activity_id: string): 'paused' | 'settled' | null;
}

interface IgnoredCodesDeps {
  /** ms */
  now: () => number;
  /** A decision that the server refused may be repeated with a fresh code. */
  isRefused: (op_id: string) => boolean;
}

export function createIgnoredCodes({ now, isRefused }: IgnoredCodesDeps): IgnoredCodes {
  const paused_until = new Map<string, number>();
  const decided_by = new Map<string, string>();
  return {
    pause: (activity_id) => void paused_until.set(activity_id, now() + PAUSE_MS),
    settle: (activity_id, op_id) => void decided_by.set(activity_id, op_id),
    state(activity_id) {
      const op_id = decided_by.get(activity_id);
      if (op_id !== undefined && !isRefused(op_id)) return 'settled';
      return now() < (paused_until.get(activity_id) ?? 0) ? 'paused' : null;
    },
  };
}
