import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyUpdate, registerServiceWorker } from './service-worker.ts';

/** A worker whose state the test changes, in a registration that holds it. */
function createWorker() {
  const worker = Object.assign(new EventTarget(), { state: 'installing', postMessage: vi.fn() });
  const registration = Object.assign(new EventTarget(), {
    installing: worker as typeof worker | null,
    waiting: null as typeof worker | null,
    active: null as typeof worker | null,
  });
  const become = (state: string) => {
    Object.assign(worker, { state });
    Object.assign(registration, { installing: null, active: state === 'activated' ? worker : null });
    worker.dispatchEvent(new Event('statechange'));
  };
  return { worker, registration, become };
}

function openBrowser() {
  const ready = Promise.withResolvers<object>();
  const container = Object.assign(new EventTarget(), {
    controller: null as object | null,
    ready: ready.promise,
    register: vi.fn(),
  });
  vi.stubGlobal('navigator', { serviceWorker: container });
  return { container, ready };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv('DEV', false);
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a worker that could not be registered or installed is registered again until one is active', async () => {
  const { container, ready } = openBrowser();
  const [broken, whole] = [createWorker(), createWorker()];
  container.register.mockRejectedValueOnce(new TypeError('no network'));
  container.register.mockResolvedValueOnce(broken.registration);
  container.register.mockResolvedValue(whole.registration);
  const registered = registerServiceWorker(() => {});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(container.register).toHaveBeenCalledTimes(2);
  broken.become('redundant');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(container.register).toHaveBeenCalledTimes(3);
  whole.become('activated');
  ready.resolve(whole.registration);
  await registered;
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(container.register).toHaveBeenCalledTimes(3);
});

test('a page asks an installed worker that does not control it to claim it', async () => {
  for (const is_controlled of [false, true]) {
    const { container, ready } = openBrowser();
    const { worker, registration, become } = createWorker();
    become('activated');
    container.controller = is_controlled ? worker : null;
    container.register.mockResolvedValue(registration);
    ready.resolve(registration);
    await registerServiceWorker(() => {});
    expect(worker.postMessage.mock.calls).toEqual(is_controlled ? [] : [[{ type: 'CLAIM' }]]);
  }
});

test('a first version that waits for a moment is not offered: there is no old one to update', async () => {
  const { container, ready } = openBrowser();
  const { worker, registration, become } = createWorker();
  const told = vi.fn();
  container.register.mockResolvedValue(registration);
  const registered = registerServiceWorker(told);
  await vi.advanceTimersByTimeAsync(0);
  registration.dispatchEvent(new Event('updatefound'));
  registration.waiting = worker;
  become('installed');
  registration.waiting = null;
  become('activated');
  ready.resolve(registration);
  await registered;
  expect(told).not.toHaveBeenCalled();
});

test('a version that waits beside an old one is offered, also on a page that neither controls', async () => {
  const { container, ready } = openBrowser();
  const { registration, become } = createWorker();
  become('activated');
  const { worker: waiting } = createWorker();
  registration.waiting = waiting;
  container.register.mockResolvedValue(registration);
  ready.resolve(registration);
  const told = vi.fn();
  await registerServiceWorker(told);
  expect(told.mock.calls).toEqual([[waiting]]);
});

describe('a version that is taken', () => {
  function watchReloads() {
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    return reload;
  }

  /** Takes a waiting version in `state`; returns also a function that stops the wait. */
  function take(state: string) {
    const { container } = openBrowser();
    const { worker, become } = createWorker();
    const old = { postMessage: vi.fn() };
    container.controller = old;
    become(state);
    return { worker, old, become, stop: applyUpdate(worker as unknown as ServiceWorker) };
  }

  test('does not interrupt work that began after its card was pressed, whenever it takes over', () => {
    const reload = watchReloads();
    const { become, stop } = take('installed');
    stop();
    become('activated');
    expect(reload).not.toHaveBeenCalled();
  });

  test('is asked to take over, and the page is reloaded with it, not before', () => {
    const reload = watchReloads();
    const { worker, old, become } = take('installed');
    expect(worker.postMessage.mock.calls).toEqual([[{ type: 'SKIP_WAITING' }]]);
    // The old worker would wait for its last message on a network that does not answer, and the new version for that
    // worker.
    expect(old.postMessage.mock.calls).toEqual([[{ type: 'SYNC_STOP' }]]);
    become('activating');
    expect(reload).not.toHaveBeenCalled();
    become('activated');
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test.each(['activated', 'redundant'])(
    'is not asked where it is %s by then: the page is reloaded at once',
    (state) => {
      const reload = watchReloads();
      const { worker } = take(state);
      expect([worker.postMessage.mock.calls.length, reload.mock.calls.length]).toEqual([0, 1]);
    },
  );

  test('reloads the page once it is active, if another tab let it take over', () => {
    const reload = watchReloads();
    const { become } = take('activating');
    become('activated');
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('and is replaced by a newer one reloads the page', () => {
    const reload = watchReloads();
    take('installed').become('redundant');
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
