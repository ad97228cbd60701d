import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';

/** The messages that the service worker sends to an open page. */
export type WorkerMessage =
  /** A push arrived while the page is visible. null: its payload could not be read. */
  | { type: 'PUSH'; payload: PushPayload | null }
  /** A notification was tapped: asks whether a user is signed in here who can see it. */
  | { type: 'IS_SIGNED_IN' }
  /** Follows IS_SIGNED_IN: open this. */
  | { type: 'OPEN_NEWS'; path: string; chat_id: string | null }
  /** The browser has replaced its push subscription. */
  | { type: 'PUSH_CHANGED' };

const TYPES: readonly string[] = [
  'PUSH',
  'IS_SIGNED_IN',
  'OPEN_NEWS',
  'PUSH_CHANGED',
] satisfies WorkerMessage['type'][];

/**
 * Listens to the service worker; returns the unsubscribe function. `listener` returns whether it handled the message;
 * the worker shows a notification for a push that no page handles.
 */
export function onWorkerMessage(listener: (message: WorkerMessage) => boolean): () => void {
  if (!('serviceWorker' in navigator)) return () => {};
  const handleMessage = ({ data, ports }: MessageEvent<WorkerMessage | { type: string } | null>) => {
    if (!data || !TYPES.includes(data.type) || !listener(data as WorkerMessage)) return;
    for (const port of ports) port.postMessage('here');
  };
  navigator.serviceWorker.addEventListener('message', handleMessage);
  return () => navigator.serviceWorker.removeEventListener('message', handleMessage);
}
