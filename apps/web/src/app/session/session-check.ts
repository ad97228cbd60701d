import { SESSION_CHECK_INTERVAL_MS } from '@sendlap/domain/session-machine.ts';
import type { Session } from '#web/shared/api/session.ts';
import { isCallbackPath } from '#web/shared/paths.ts';

/**
 * Checks the session every 15 minutes, except while the callback creates a new one. Returns the function that stops it.
 */
export function scheduleSessionChecks(session: Pick<Session, 'check'>, currentPath: () => string): () => void {
  const timer = setInterval(() => {
    if (!isCallbackPath(currentPath())) void session.check();
  }, SESSION_CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}
