import type { CopyAnswer, CopyPage, CopyQuestion, CopyRequest } from './center-search-messages.ts';

/** Reading and searching thousands of copies takes a tenth of this. */
export const ANSWER_TIMEOUT_MS = 10_000;

interface Waiting {
  resolve: (page: CopyPage | null) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let last_number = 0;
const waiting = new Map<number, Waiting>();

/**
 * Returns a page of this device's centers for a query, as the server would search and sort them; null if the copies
 * cannot be read, or not in time. A worker reads, searches and sorts: only the page arrives here.
 */
export function searchCopies(request: CopyRequest): Promise<CopyPage | null> {
  return new Promise((resolve) => {
    const started = startCenterSearch();
    if (!started) return resolve(null);
    last_number += 1;
    const timer = setTimeout(() => giveUp(`no answer within ${ANSWER_TIMEOUT_MS} ms`), ANSWER_TIMEOUT_MS);
    waiting.set(last_number, { resolve, timer });
    started.postMessage({ ...request, number: last_number } satisfies CopyQuestion);
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
  worker.addEventListener('message', ({ data }: MessageEvent<CopyAnswer>) => settle(data));
  worker.addEventListener('error', ({ message }) => giveUp(message));
  return worker;
}

function settle(answer: CopyAnswer): void {
  const asker = waiting.get(answer.number);
  if (!asker) return;
  clearTimeout(asker.timer);
  waiting.delete(answer.number);
  if ('error' in answer) console.warn('cache', answer.error);
  asker.resolve('page' in answer ? answer.page : null);
}

/** Answers pending searches with null; the next search starts a new worker. */
function giveUp(reason: string): void {
  console.warn('cache', reason);
  worker?.terminate();
  worker = null;
  for (const { resolve, timer } of waiting.values()) {
    clearTimeout(timer);
    resolve(null);
  }
  waiting.clear();
}
