/** A push follows its event within this time. */
const SLACK_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Remembers what somebody was told of here, for the same one may come twice: by the stream, and by a push when
 * the stream is down for a moment. Times are ms epoch of the server.
 */
export function createToldNews() {
  const told = new Set<string>();
  /** Per subject, which is a chat or what else is told of: the latest that the stream, and that a push, told of. */
  const streamed = new Map<string, number>();
  const pushed = new Map<string, number>();
  return {
    /** Whether news from the stream is still to be told. */
    fromStream({ id, subject, at }: { id: string; subject: string; at: number }): boolean {
      if (told.has(id)) return false;
      told.add(id);
      streamed.set(subject, Math.max(at, streamed.get(subject) ?? NEVER));
      return at > (pushed.get(subject) ?? NEVER);
    },
    /** Whether what a push says is still to be told. */
    fromPush({ subject, at }: { subject: string; at: number }): boolean {
      if (at <= (pushed.get(subject) ?? NEVER)) return false;
      pushed.set(subject, at);
      return at > (streamed.get(subject) ?? NEVER) + SLACK_MS;
    },
  };
}
