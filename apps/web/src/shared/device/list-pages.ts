/** The used part of ServiceWorkerGlobalScope; `Page`: the used part of a WindowClient. */
export interface PageScope<Page> {
  clients: { matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly Page[]> };
}

/** For the service worker: returns the open pages of the app, also those that no worker controls yet. */
export function listPages<Page>({ clients }: PageScope<Page>): Promise<readonly Page[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true });
}
