import { onTestFinished, vi } from 'vitest';

/** A worker as its page sees it. When asked to take over, it does so at once. */
class FakeWorker extends EventTarget {
  state: ServiceWorkerState;
  version: string;
  version_reads = 0;

  constructor(state: ServiceWorkerState, version: string) {
    super();
    this.state = state;
    this.version = version;
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  postMessage({ type }: { type: string }, [port]: MessagePort[] = []): void {
    if (type === 'GET_VERSION') {
      this.version_reads += 1;
      port?.postMessage(this.version);
    }
    if (type !== 'SKIP_WAITING') return;
    this.become('activating');
    this.become('activated');
  }
}

export interface FakeRegistration {
  /** Fetches a new version, which then waits behind the running one. */
  publish(): void;
  /** Finds a new version and begins to install it; the returned function ends the installation. */
  find(): () => void;
  /** Returns whether a version waits for the running one to be replaced. */
  has_waiting(): boolean;
  /** How often a page asked the waiting worker for its version. */
  version_reads(): number;
  /** Makes a new version available, which the next update check fetches. */
  offer(): void;
}

/** A browser whose page is controlled by a version of the worker, as in a production build. */
export function installFakeWorker(): FakeRegistration {
  const active = new FakeWorker('activated', 'version 1');
  let versions = 1;
  let is_offered = false;
  const registration = Object.assign(new EventTarget(), {
    installing: null as FakeWorker | null,
    waiting: null as FakeWorker | null,
    active,
    async update() {
      if (is_offered) find()();
      is_offered = false;
    },
    getNotifications: () => Promise.resolve([]),
  });
  const container = Object.assign(new EventTarget(), {
    controller: active,
    ready: Promise.resolve(registration),
    register: () => Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  vi.stubEnv('DEV', false);
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    vi.unstubAllEnvs();
  });
  function find(): () => void {
    versions += 1;
    const worker = new FakeWorker('installing', `version ${versions}`);
    registration.installing = worker;
    registration.dispatchEvent(new Event('updatefound'));
    return () => {
      Object.assign(registration, { installing: null, waiting: worker });
      worker.become('installed');
    };
  }
  return {
    publish: () => find()(),
    find,
    has_waiting: () => registration.waiting?.state === 'installed',
    version_reads: () => registration.waiting?.version_reads ?? 0,
    offer() {
      is_offered = true;
    },
  };
}
