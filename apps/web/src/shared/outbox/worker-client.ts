import { openSessionChannel } from '../api/session-channel.ts';
import { createDpopProof, hasSessionKey } from '../device/session-key.ts';
import { createOutboxSender } from './outbox-sender.ts';
import { lockChat, lockOutbox, openOutbox, openOutboxChannel } from './tabs.ts';

/**
 * The sender of the service worker: a script of its own (`apps/web/build/worker.ts`), so that the worker starts without
 * it. Wiring only, as in `client.ts`.
 */
const base = import.meta.env.VITE_API_BASE ?? '';

const sendOutbox = createOutboxSender({
  fetch: (input, init) => fetch(input, init),
  base,
  locks: navigator.locks,
  session_channel: openSessionChannel(),
  channel: openOutboxChannel(),
  hasSessionKey,
  createProof: (method, path, now_ms) =>
    createDpopProof({ method, url: (base || location.origin) + path, now_ms, key_creation: 'never' }),
  isOnline: () => navigator.onLine,
  open: openOutbox,
  lock: lockOutbox,
  lockChat,
  now: () => Date.now(),
  monotonicNow: () => performance.now(),
  newId: () => crypto.randomUUID(),
  random: () => Math.random(),
  wait: (delay_ms) => new Promise((resolve) => setTimeout(resolve, delay_ms)),
});

Object.assign(globalThis, { sendOutbox });
