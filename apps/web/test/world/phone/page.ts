import { syncActivities } from '@sendlap/contract/activities.ts';
import { getAuthConfig, login, logout, refresh } from '@sendlap/contract/auth.ts';
import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { createOutbox } from '#web/shared/outbox/outbox.ts';
import { requestBackgroundSync } from '#web/shared/outbox/send/background-sync.ts';
import { createOutboxCalls } from '#web/shared/outbox/send/outbox-calls.ts';
import { createOutboxStore } from '#web/shared/outbox/store/store.ts';
import type { Mistake } from '../base/mistakes.ts';
import type { Moments } from '../base/moments.ts';
import type { Random } from '../base/random.ts';
import type { See } from '../base/sights.ts';
import { createConnection, type Disk } from './disk.ts';
import type { createLocks } from './locks.ts';
import type { Network } from './network.ts';
import { createPageLife } from './page-life.ts';
import { createPageSession } from './page-session.ts';
import type { TabChannels } from './tab-channels.ts';

export interface PageDeps {
  random: Random;
  moments: Moments;
  disk: Disk;
  network: Network;
  locks: ReturnType<typeof createLocks>;
  channels: TabChannels;
  newId: () => string;
  see: See;
  /** The wall clock of the phone, ms epoch. */
  wallNow: () => number;
  mistake: Mistake | undefined;
  /** Whether the disk has kept who signed in. */
  onKept: (is_kept: boolean) => void;
  /** Wakes the worker; undefined in a browser that does not. */
  sync: { register: (tag: string) => Promise<void> } | undefined;
  /** The page replaces itself: it belongs to another user now. */
  reload: () => void;
}

/** The app's own outbox and session in one page life; after its end nothing of it runs or is answered. */
export async function openPage(deps: PageDeps) {
  const { random, moments, disk, network, channels, newId, see, wallNow, mistake, sync } = deps;
  const { life, isUnanswered, end } = createPageLife(network);
  const opened = await disk.openDatabases();
  const outbox_connection = createConnection(opened.outbox, disk.isFull);
  const device_connection = createConnection(opened.device, disk.isFull);
  const locks = deps.locks.openFor(life);
  const page = createPageSession({ ...deps, life, locks, device: device_connection.database });
  const { session, call, request, clock, epoch, monotonicNow } = page;

  const clockNote = mistake === 'clock not corrected' ? () => null : clock.clockNote;
  const store_deps = {
    open: () => life.guard(async () => outbox_connection.database),
    now: wallNow,
    newId,
    clockNote,
    freeSpace: async () => {},
  };
  const shownUser = () => session.getState().user?.id ?? null;

  async function measureClock(): Promise<ClockMeasurement | null> {
    if (clock.measurement() === null) await request(getAuthConfig, {}, {});
    return clock.measurement();
  }

  function makeStore(onChange: () => void) {
    const store = createOutboxStore({ ...store_deps, onChange });
    return mistake === 'sent as any user'
      ? { ...store, listOps: () => outbox_connection.database.getAll('ops') }
      : store;
  }

  const outbox = createOutbox({
    makeStore,
    channel: channels.openFor('outbox', life),
    lock:
      mistake === 'two runners' ? (work) => work() : (work) => locks.request('outbox', work) as ReturnType<typeof work>,
    lockChat: (_chat_id, work) => work(),
    ...createOutboxCalls(call),
    monotonicNow,
    now: wallNow,
    random: () => random.below(1_000) / 1_000,
    isOnline: network.isOnline,
    measureClock,
    shownUserId: shownUser,
    confirmedUserId: () => (!life.is_alive || session.getState().checking_auth ? null : shownUser()),
    scheduleBackgroundSync: () => void requestBackgroundSync({ ready: Promise.resolve({ sync }) }),
    schedule: (delay_ms, run) => moments.after(delay_ms, () => life.is_alive && run()),
  });
  session.onSignedOut(() => outbox.store.pruneSent({ keeps_copies: !session.wasSignOutIntended() }));
  session.subscribe(outbox.handleUserChange);
  epoch.subscribe((name) => void outbox.saveEpoch(name).catch(() => {}));
  void session.start();
  outbox.handleUserChange();

  return {
    outbox,
    session,
    clock,
    rowsOf: createOutboxStore({ ...store_deps, onChange: () => {} }).listRows,
    shownUser,
    isAlive: () => life.is_alive,
    signIn: (user_id: string) => session.signInWith(() => call(login, { body: { email: user_id, password: 'swim' } })),
    /** The page ends at once: in a crash with its browser, or else by a reload or the closing of its tab. */
    end(is_crash = false): void {
      end();
      const is_undone = outbox_connection.crash();
      device_connection.crash();
      if (is_crash) noteCrash({ is_undone, isUnanswered, see });
    },
  };
}

interface CrashOfPage {
  is_undone: boolean;
  isUnanswered: (path: string) => boolean;
  see: See;
}

function noteCrash({ is_undone, isUnanswered, see }: CrashOfPage): void {
  if (is_undone) see('crash while saving');
  if (isUnanswered(syncActivities.path)) see('crash between write and answer');
  if ([login, refresh, logout].some(({ path }) => isUnanswered(path))) see('crash of a session');
}

export type Page = Awaited<ReturnType<typeof openPage>>;
