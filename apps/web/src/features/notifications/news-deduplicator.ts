/** A push follows its event within this time. */
const PUSH_DELAY_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Remembers which news the user has seen here, as the same news may come twice: from the stream, and as a push when the
 * stream is down for a moment. Times are ms epoch, server time.
 */
export function createNewsDeduplicator() {
  const seen_ids = new Set<string>();
  /**
   * By subject (a chat, an activity, …): the time of the latest news from the stream, and of the latest from a push.
   */
  const streamed = new Map<string, number>();
  const pushed = new Map<string, number>();
  return {
    /** Whether news from the stream has not been shown yet. */
    isNewFromStream({ id, subject, at }: { id: string; subject: string; at: number }): boolean {
      if (seen_ids.has(id)) return false;
      seen_ids.add(id);
      streamed.set(subject, Math.max(at, streamed.get(subject) ?? NEVER));
      return at > (pushed.get(subject) ?? NEVER);
    },
    /** Whether the news in a push has not been shown yet. */
    isNewFromPush({ subject, at }: { subject: string; at: number }): boolean {
      if (at <= (pushed.get(subject) ?? NEVER)) return false;
      pushed.set(subject, at);
      return at > (streamed.get(subject) ?? NEVER) + PUSH_DELAY_MS;
    },
  };
}
