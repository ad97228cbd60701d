import type { CopyAnswer, CopyPage, CopyQuestion, CopyRequest } from './center-search-messages.ts';

/** Thousands of copies are read and searched in a tenth of it. */
export const ANSWER_TIMEOUT_MS = 10_000;

interface Waiting {
  resolve: (page: CopyPage | null) => void;
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | null = null;
let last_number = 0;
const waiting = new Map<number, Waiting>();

/**
 * A page of the centers on this device that a query finds, as the server would find them among these; null where the
 * copies cannot be read, or not in time. Read, searched and sorted in a worker: only the page comes here.
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

/** The worker, which reads the copies as soon as it runs. Null where the browser gives none. */
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

/** A worker that cannot run answers nobody any more; the next question tries a new one. */
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
