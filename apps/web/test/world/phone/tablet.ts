import { getKioskBoard, listKioskKeys, pairKiosk } from '@sendlap/contract/kiosks.ts';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { parseQrUrl } from '@sendlap/domain/qr-code.ts';
import { createKiosk } from '#web/features/kiosk/kiosk.ts';
import { type KioskStore, kioskStore } from '#web/features/kiosk/kiosk-store.ts';
import { createVenueCode, type KioskSigner, keyAt } from '#web/features/kiosk/venue-code.ts';
import { type BoardItem, PAIRING_CODE, signAsModel } from '../server/model-kiosk.ts';
import type { Server } from '../server/server.ts';
import { createDisk } from './disk.ts';
import { createNetwork, type Network } from './network.ts';
import type { PageDeps } from './page.ts';
import { createPageLife, type PageLife } from './page-life.ts';
import { createRequestLayer, whileAlive } from './page-session.ts';

export interface TabletDeps extends Pick<PageDeps, 'random' | 'moments' | 'newId' | 'see' | 'mistake'> {
  server: Server;
}

const LATE_WRITE_MS = 30_000;
const REFRESH_INTERVAL_MS = 60_000;
const CLOCK_ERRORS_MS = [0, -3 * 3_600_000, 3 * 3_600_000] as const;

/** Signs at once, as no work of the host's threads may decide what comes first. */
const SIGNER: KioskSigner = {
  importKey: async (bytes) => ({ bytes }) as unknown as CryptoKey,
  sign: async (key, body) => signAsModel((key as unknown as { bytes: Uint8Array }).bytes, body),
};

/** The store of one page life, in the database of its tablet. */
function storeOf(life: PageLife, disk: ReturnType<typeof createDisk>): KioskStore {
  const guarded = Object.entries(kioskStore).map(([name, work]) => [
    name,
    (...args: never[]) => life.guard(() => disk.use(() => (work as (...args: never[]) => Promise<unknown>)(...args))),
  ]);
  return Object.fromEntries(guarded);
}

interface KioskPageDeps extends TabletDeps {
  disk: ReturnType<typeof createDisk>;
  network: Network;
  wallNow: () => number;
}

/** The app's own kiosk in one page life. */
async function openKioskPage(deps: KioskPageDeps) {
  const { moments, mistake, disk, network, wallNow } = deps;
  const { life, end } = createPageLife(network);
  const { device, outbox } = await disk.openDatabases();
  outbox.close();
  const opened_at = moments.now();
  const monotonicNow = () => moments.now() - opened_at;
  const storage = whileAlive(disk.local_storage, life);
  const { clock, request } = createRequestLayer({ ...deps, life, device, monotonicNow, storage });
  const now = mistake === 'clock not corrected' ? wallNow : clock.correctedNow;
  const kiosk = createKiosk({
    calls: {
      pair: (code, idempotency_key) => request(pairKiosk, { body: { code } }, { idempotency_key }),
      listKeys: (token) => request(listKioskKeys, {}, { token }),
      getBoard: (token) => request(getKioskBoard, {}, { token }),
    },
    store: storeOf(life, disk),
    now,
    signer: SIGNER,
  });
  void kiosk.start(null);
  attend();

  /** As the page does, and the person who pairs it. */
  function attend(): void {
    moments.after(REFRESH_INTERVAL_MS, () => {
      if (!life.is_alive) return;
      if (kiosk.getState().kind === 'unpaired') void kiosk.pair(PAIRING_CODE);
      else void kiosk.refresh();
      attend();
    });
  }

  return {
    kind: () => kiosk.getState().kind,
    end,
    /** null: it shows none. */
    shownBoard(): BoardItem[] | null {
      const state = kiosk.getState();
      return state.kind === 'paired' ? (state.board?.board.items ?? null) : null;
    },
    /** The code (base64url) that it shows; null without one. */
    async shownCode(): Promise<string | null> {
      const state = kiosk.getState();
      if (state.kind !== 'paired') return null;
      const { center, keys } = state.pairing;
      const now_ms = now();
      const key = keyAt(keys, now_ms);
      if (!key) return null;
      const { url } = await createVenueCode(center.id, key, now_ms, 'https://sendlap.test', SIGNER);
      return toBase64Url(parseQrUrl(url) ?? new Uint8Array());
    },
  };
}

/** A tablet with a wrong clock that becomes the center's kiosk, and shows its codes. */
export async function createTablet(deps: TabletDeps) {
  const { random, moments, server, see } = deps;
  const disk = createDisk(moments.now);
  const network = createNetwork({ random, moments, server, see, cookies: disk.cookies });
  const clock_error_ms = random.pick(CLOCK_ERRORS_MS);
  const open = () => openKioskPage({ ...deps, disk, network, wallNow: () => moments.now() + clock_error_ms });
  const damage: string[] = [];
  let was_paired = false;
  let page = await open();

  async function reload(): Promise<void> {
    page.end();
    page = await open();
  }

  return {
    network,
    damage,
    shownCode: () => page.shownCode(),
    shownBoard: () => page.shownBoard(),
    reload,
    async crash(): Promise<void> {
      see('crash');
      page.end();
      disk.local_storage.crash(random.below(LATE_WRITE_MS));
      page = await open();
    },
    /** A kiosk stays one, and each code that it shows is good. */
    async look(): Promise<void> {
      const kind = page.kind();
      if (kind === 'unpaired' && was_paired) damage.push('the tablet is no longer a kiosk');
      was_paired ||= kind === 'paired';
      const code = await page.shownCode();
      if (code === null) return;
      see('kiosk');
      if (!network.isOnline()) see('kiosk without a network');
      if (!server.kiosk.accepts(code)) damage.push('the kiosk shows a wrong code');
    },
    isPaired: () => page.kind() === 'paired',
    end: () => page.end(),
  };
}

export type Tablet = Awaited<ReturnType<typeof createTablet>>;
