import type { Server } from '../server/server.ts';
import { createDisk } from './disk.ts';
import { createNetwork } from './network.ts';
import { openPage, type PageDeps } from './page.ts';

export interface BrowserDeps extends Omit<PageDeps, 'disk' | 'network' | 'wallNow' | 'reload'> {
  server: Server;
}

/** Chromium writes cookies so late, and local storage. */
const LATE_WRITE_MS = 30_000;

/** The browser of a phone, with its one page, its disk, its clock and its network. */
export async function createBrowser(deps: BrowserDeps) {
  const { random, moments, see, server } = deps;
  const disk = createDisk(moments.now);
  const network = createNetwork({ random, moments, server, see, cookies: disk.cookies });
  let clock_offset_ms = 0;
  let must_reload = false;
  const wallNow = () => moments.now() + clock_offset_ms;
  const page_deps: PageDeps = {
    ...deps,
    disk,
    network,
    wallNow,
    reload() {
      must_reload = true;
    },
  };
  let page = await openPage(page_deps);

  async function reload(): Promise<void> {
    page.end();
    must_reload = false;
    page = await openPage(page_deps);
  }

  return {
    network,
    wallNow,
    page: () => page,
    reload,
    /** Reloads if the page has asked for it. */
    async attend(): Promise<void> {
      if (must_reload) await reload();
    },
    /** The browser is killed: what it had not written is lost. */
    async crash(): Promise<void> {
      see('crash');
      page.end();
      const is_late = [
        disk.local_storage.crash(random.below(LATE_WRITE_MS)),
        disk.cookies.crash(random.below(LATE_WRITE_MS)),
      ];
      if (is_late.includes(true)) see('browser wrote late');
      await reload();
    },
    moveClock(move_ms: number): void {
      clock_offset_ms += move_ms;
    },
  };
}
