import { CENTER_CHANNEL } from '#web/shared/local-db/center-changes.ts';
import { createCenterSearchEngine } from '#web/shared/local-db/center-search-engine.ts';
import type { CenterWorkerReply, CenterWorkerRequest } from '#web/shared/local-db/center-search-messages.ts';

/**
 * The app's only worker, which searches the centers stored on this device, run on the page's own thread: jsdom has no
 * workers.
 */
export class CenterWorker extends EventTarget {
  readonly #engine = createCenterSearchEngine();
  readonly #news = new BroadcastChannel(CENTER_CHANNEL);

  constructor() {
    super();
    this.#news.addEventListener('message', () => void this.#engine.refresh().catch(() => {}));
  }

  postMessage(question: CenterWorkerRequest): void {
    void this.#answer(question).then((data) => this.dispatchEvent(new MessageEvent('message', { data })));
  }

  terminate(): void {
    this.#news.close();
  }

  async #answer({ number, ...request }: CenterWorkerRequest): Promise<CenterWorkerReply> {
    try {
      return { number, page: await this.#engine.search(request) };
    } catch (error) {
      return { number, error: String(error) };
    }
  }
}
