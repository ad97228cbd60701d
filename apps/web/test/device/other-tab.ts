import type { SessionMessage } from '#web/shared/api/session-channel.ts';

/** Sends a message about the session, as another tab of this browser does. */
export function tellTabs(message: SessionMessage): void {
  const tab = new BroadcastChannel('sendlap-session');
  tab.postMessage(message);
  tab.close();
}
