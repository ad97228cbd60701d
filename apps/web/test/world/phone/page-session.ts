import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { SESSION_CHECK_INTERVAL_MS } from '@sendlap/domain/session-machine.ts';
import { createReachability } from '#web/shared/api/reachability.ts';
import { createRequest } from '#web/shared/api/request.ts';
import { createServerClock } from '#web/shared/api/server-clock.ts';
import { createServerEpoch } from '#web/shared/api/server-epoch.ts';
import type { SessionDeps } from '#web/shared/api/session.ts';
import type { SessionChannel } from '#web/shared/api/session-channel.ts';
import { connectSession } from './connect-session.ts';
import type { DeviceDatabase } from './disk.ts';
import type { LateStorage } from './late-storage.ts';
import type { Locks } from './locks.ts';
import type { PageDeps } from './page.ts';
import type { PageLife } from './page-life.ts';
import { deleteSession, hasSessionKey, loadOrCreateSessionKey, proofText, USER } from './session-key.ts';

interface PageSessionDeps extends Omit<PageDeps, 'locks'> {
  life: PageLife;
  locks: Locks;
  device: DeviceDatabase;
}

const START_RETRY_MS = 5_000;
const PROFILE = 'one';
/** Beside the session key. */
const OFFSET = 'server-clock';

/** The app's own request layer and session, wired as `shared/api/client.ts` wires them. */
export function createPageSession(deps: PageSessionDeps) {
  const { moments, disk, network, life, locks, channels, device, reload } = deps;
  const opened_at = moments.now();
  const monotonicNow = () => moments.now() - opened_at;
  const storage = whileAlive(disk.local_storage, life);
  const channel: SessionChannel = channels.openFor('session', life);
  const { clock, epoch, request } = createRequestLayer({ ...deps, monotonicNow, storage });
  const reachability = createReachability();
  const { session, call } = connectSession({
    request,
    channel,
    isOnline: network.isOnline,
    onReached: reachability.set,
    storage,
    locks,
    monotonicNow,
    mayBeSignedIn: async () =>
      disk.cookies.getItem('refresh') !== null || (await life.guard(() => hasSessionKey(device))),
    deleteSession: () => life.guard(() => deleteSession(device)),
    hasUser: async () => (await life.guard(() => device.count('keys', USER))) > 0,
    profiles: createProfiles(deps),
    waitForRetry: () => new Promise((resolve) => void moments.after(START_RETRY_MS, resolve)),
    reload,
    isOnSignInPage: () => !session.getState().checking_auth && session.getState().user === null,
  });
  session.onSignedOut(() => life.guard(() => device.delete('profiles', PROFILE)));
  session.onSignedOut(() => life.guard(() => device.delete('keys', USER)));
  checkSession();

  function checkSession(): void {
    moments.after(SESSION_CHECK_INTERVAL_MS, () => {
      if (!life.is_alive) return;
      void session.check();
      checkSession();
    });
  }

  return { session, call, request, clock, epoch, monotonicNow };
}

/** The user beside the key, and the copy of the profile. */
function createProfiles({ life, device, onKept }: PageSessionDeps): SessionDeps['profiles'] {
  return {
    load: async () => (await life.guard(() => device.get('profiles', PROFILE))) ?? null,
    async save(user) {
      const [id, copy] = await life.guard(() =>
        Promise.all([device.get('keys', USER), device.get('profiles', PROFILE)]),
      );
      try {
        if (id !== user.id) await life.guard(() => device.put('keys', user.id, USER));
        if (copy?.id !== user.id) await life.guard(() => device.put('profiles', user, PROFILE));
        onKept(true);
      } catch (error) {
        onKept(false);
        throw error;
      }
    },
  };
}

interface RequestLayerDeps extends Pick<PageSessionDeps, 'wallNow' | 'newId' | 'mistake' | 'life' | 'device'> {
  monotonicNow: () => number;
  storage: ReturnType<typeof whileAlive>;
}

export function createRequestLayer({ wallNow, newId, mistake, life, device, monotonicNow, storage }: RequestLayerDeps) {
  const database = {
    load: async () => (await life.guard(() => device.get('keys', OFFSET))) ?? null,
    save: async (text: string) => void (await life.guard(() => device.put('keys', text, OFFSET))),
  };
  const clock = createServerClock({ now: wallNow, monotonicNow, storage, database });
  const epoch = createServerEpoch();

  async function createProof({ access }: Endpoint): Promise<string | null> {
    if (mistake === 'rotation without proof') return null;
    const needs_user = access !== 'anyone';
    const key = await life.guard(() => loadOrCreateSessionKey({ device, newId, needs_user }));
    return key && proofText(key, newId(), clock.correctedNow());
  }

  const request = createRequest({
    fetch: (path, init = {}) => life.fetch(String(path), init),
    clock,
    onEpoch: epoch.observe,
    monotonicNow,
    base: '',
    createProof,
  });
  return { clock, epoch, request };
}

/** A page that has died no longer changes anything. */
export function whileAlive(storage: LateStorage, life: PageLife) {
  return {
    getItem: storage.getItem,
    setItem: (key: string, value: string) => void (life.is_alive && storage.setItem(key, value)),
    removeItem: (key: string) => void (life.is_alive && storage.removeItem(key)),
  };
}
