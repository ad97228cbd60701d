import type { TabMessage } from '#web/shared/api/tab-channel.ts';

/** What another tab of this browser tells about its session. */
export function tellTabs(message: TabMessage): void {
  const tab = new BroadcastChannel('sendlap-session');
  tab.postMessage(message);
  tab.close();
}
