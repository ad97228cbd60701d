import { openTabChannel } from '#web/shared/lib/tab-channel.ts';
import { CENTER_CHANNEL } from './center-changes.ts';
import { createCenterSearchEngine } from './center-search-engine.ts';
import type { CenterWorkerReply, CenterWorkerRequest } from './center-search-messages.ts';

const engine = createCenterSearchEngine();
let is_refreshing = false;
let has_changed = false;

addEventListener('message', ({ data }: MessageEvent<CenterWorkerRequest>) => {
  void handleRequest(data).then((reply) => postMessage(reply));
});

openTabChannel(CENTER_CHANNEL).listen(() => {
  has_changed = true;
  void refreshUntilCurrent();
});

async function handleRequest({ number, ...request }: CenterWorkerRequest): Promise<CenterWorkerReply> {
  try {
    return { number, page: await engine.search(request) };
  } catch (error) {
    return { number, error: String(error) };
  }
}

/** Runs once more if any change was announced during the run. */
async function refreshUntilCurrent(): Promise<void> {
  if (is_refreshing) return;
  is_refreshing = true;
  while (has_changed) {
    has_changed = false;
    await engine.refresh().catch((error: unknown) => console.warn('cache', error));
  }
  is_refreshing = false;
}
