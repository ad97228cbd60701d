import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';

/** The messages that the service worker sends to an open page. */
export type WorkerWord =
  /** A push arrived while the page is visible. null: its payload could not be read. */
  | { type: 'PUSH'; payload: PushPayload | null }
  /** A notification was tapped: asks whether a user is signed in here who can see it. */
  | { type: 'ANYBODY_HERE' }
  /** Follows ANYBODY_HERE: open this. */
  | { type: 'OPEN_NEWS'; path: string; chat_id: string | null }
  /** The browser has replaced its push subscription. */
  | { type: 'PUSH_CHANGED' };

const TYPES: readonly string[] = ['PUSH', 'ANYBODY_HERE', 'OPEN_NEWS', 'PUSH_CHANGED'] satisfies WorkerWord['type'][];

/**
 * Listens to the service worker; returns the unsubscribe function. `listener` returns whether it handled the message;
 * the worker shows a notification for a push that no page handles.
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
