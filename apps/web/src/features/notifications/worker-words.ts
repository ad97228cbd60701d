import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';

/** What the service worker tells an open page. */
export type WorkerWord =
  /** A push came while somebody looks at the page. null: it could not be read. */
  | { type: 'PUSH'; payload: PushPayload | null }
  /** A notification was tapped: whether somebody is signed in here, whom it could be shown to. */
  | { type: 'ANYBODY_HERE' }
  /** Then: show this. */
  | { type: 'OPEN_NEWS'; path: string; chat_id: string | null }
  /** The browser has replaced its subscription. */
  | { type: 'PUSH_CHANGED' };

const TYPES: readonly string[] = ['PUSH', 'ANYBODY_HERE', 'OPEN_NEWS', 'PUSH_CHANGED'] satisfies WorkerWord['type'][];

/**
 * Hears the service worker until the returned function is called. `listener` says whether it took the word; a push that
 * no page takes is shown by the worker.
 */
export function onWorkerWord(listener: (word: WorkerWord) => boolean): () => void {
  if (!('serviceWorker' in navigator)) return () => {};
  const hear = ({ data, ports }: MessageEvent<WorkerWord | { type: string } | null>) => {
    if (!data || !TYPES.includes(data.type) || !listener(data as WorkerWord)) return;
    for (const port of ports) port.postMessage('here');
  };
  navigator.serviceWorker.addEventListener('message', hear);
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}
