import { CENTER_CHANNEL } from './center-news.ts';
import { createCenterSearchEngine } from './center-search-engine.ts';
import type { CopyAnswer, CopyQuestion } from './center-search-messages.ts';

const engine = createCenterSearchEngine();
let is_reading = false;
let has_changed = false;

addEventListener('message', ({ data }: MessageEvent<CopyQuestion>) => {
  void answer(data).then((reply) => postMessage(reply));
});

new BroadcastChannel(CENTER_CHANNEL).addEventListener('message', () => {
  has_changed = true;
  void readChanges();
});

async function answer({ number, ...request }: CopyQuestion): Promise<CopyAnswer> {
  try {
    return { number, page: await engine.search(request) };
  } catch (error) {
    return { number, error: String(error) };
  }
}

/** Runs once more if any change was announced during the run. */
async function readChanges(): Promise<void> {
  if (is_reading) return;
  is_reading = true;
  while (has_changed) {
    has_changed = false;
    await engine.refresh().catch((error: unknown) => console.warn('cache', error));
  }
  is_reading = false;
}
