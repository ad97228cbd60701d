import type { CenterWorkerReply, CenterWorkerRequest, CopyPage, CopyRequest } from './center-search-messages.ts';

/** Reading and searching thousands of copies takes a tenth of this. */
export const ANSWER_TIMEOUT_MS = 10_000;

interface PendingSearch {
  resolve: (page: CopyPage | null) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let last_number = 0;
const pending = new Map<number, PendingSearch>();

/**
 * Returns a page of this device's centers for a query, as the server would search and sort them; null if the copies
 * cannot be read, or not in time. A worker reads, searches and sorts: only the page arrives here.
 */
export function searchCopies(request: CopyRequest): Promise<CopyPage | null> {
  return new Promise((resolve) => {
    const started = startCenterSearch();
    if (!started) return resolve(null);
    last_number += 1;
    const timer = setTimeout(() => abandonSearches(`no answer within ${ANSWER_TIMEOUT_MS} ms`), ANSWER_TIMEOUT_MS);
    pending.set(last_number, { resolve, timer });
    started.postMessage({ ...request, number: last_number } satisfies CenterWorkerRequest);
  });
}

/** Starts the worker, which reads the copies at once. Returns null if the browser provides none. */
function startCenterSearch(): Worker | null {
  if (worker) return worker;
  try {
    worker = new Worker(new URL('./center-search-worker.ts', import.meta.url), { type: 'module' });
  } catch (error) {
    console.warn('cache', error);
    return null;
  }
  worker.addEventListener('message', ({ data }: MessageEvent<CenterWorkerReply>) => resolveSearch(data));
  worker.addEventListener('error', ({ message }) => abandonSearches(message));
  return worker;
}

function resolveSearch(reply: CenterWorkerReply): void {
  const search = pending.get(reply.number);
  if (!search) return;
  clearTimeout(search.timer);
  pending.delete(reply.number);
  if ('error' in reply) console.warn('cache', reply.error);
  search.resolve('page' in reply ? reply.page : null);
}

/** Answers pending searches with null; the next search starts a new worker. */
function abandonSearches(reason: string): void {
  console.warn('cache', reason);
  worker?.terminate();
  worker = null;
  for (const { resolve, timer } of pending.values()) {
    clearTimeout(timer);
    resolve(null);
  }
  pending.clear();
}
