/** A push follows its event within this time. */
const SLACK_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Remembers which news the user has seen here, as the same news may come twice: from the stream, and as a push when the
 * stream is down for a moment. Times are ms epoch, server time.
 */
export function createToldNews() {
  const told = new Set<string>();
  /**
   * By subject (a chat, an activity, …): the time of the latest news from the stream, and of the latest from a push.
   */
  const streamed = new Map<string, number>();
  const pushed = new Map<string, number>();
  return {
    /** Whether news from the stream has not been shown yet. */
    fromStream({ id, subject, at }: { id: string; subject: string; at: number }): boolean {
      if (told.has(id)) return false;
      told.add(id);
      streamed.set(subject, Math.max(at, streamed.get(subject) ?? NEVER));
      return at > (pushed.get(subject) ?? NEVER);
    },
    /** Whether the news in a push has not been shown yet. */
    fromPush({ subject, at }: { subject: string; at: number }): boolean {
      if (at <= (pushed.get(subject) ?? NEVER)) return false;
      pushed.set(subject, at);
      return at > (streamed.get(subject) ?? NEVER) + SLACK_MS;
    },
  };
}
