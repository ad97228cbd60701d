import { vi } from 'vitest';
import { lendLocks } from './page-locks.ts';

/** Roots that the app's entry has made in this page life. */
const roots: { unmount(): void }[] = [];

vi.mock('react-dom/client', async (importOriginal) => {
  const original = await importOriginal<typeof import('react-dom/client')>();
  return {
    ...original,
    createRoot(...args: Parameters<typeof original.createRoot>) {
      const root = original.createRoot(...args);
      roots.push(root);
      return root;
    },
  };
});

const FRAME_MS = 16;

let recording: ReturnType<typeof recordLeftovers> | null = null;

type Listening = [EventTarget, string, EventListenerOrEventListenerObject | null, unknown];

/**
 * Runs the app's entry as a page load does, in fresh modules. The returned function ends its listeners, timers,
 * channels and locks, as the end of a page does; databases and storages stay. Work in progress at that moment may still
 * start timers: `forgetPage` ends those.
 */
export async function loadPage(): Promise<() => void> {
  vi.resetModules();
  document.body.innerHTML = '<div id="root"></div>';
  forgetPage();
  const leftovers = recordLeftovers();
  recording = leftovers;
  const releaseLocks = lendLocks();
  await import('#web/main.tsx');
  return () => {
    for (const root of roots.splice(0)) root.unmount();
    leftovers.end();
    releaseLocks();
    document.body.replaceChildren();
  };
}

/** Restores the real timers for code that runs without a page. */
export function forgetPage(): void {
  recording?.restore();
  recording = null;
}

function recordLeftovers() {
  const listening: Listening[] = [];
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const channels = new Set<BroadcastChannel>();
  const { addEventListener } = EventTarget.prototype;
  const { addEventListener: listenToWindow } = globalThis;
  const { setTimeout: startTimer, setInterval: startInterval, BroadcastChannel: Channel } = globalThis;
  const { requestAnimationFrame, cancelAnimationFrame } = globalThis;

  EventTarget.prototype.addEventListener = function (this: EventTarget, type, listener, options) {
    const target = this ?? globalThis;
    if (target === window || target === document) listening.push([target, type, listener, options]);
    addEventListener.call(target, type, listener, options);
  };
  // The window's own, which Vitest has bound to jsdom's window.
  globalThis.addEventListener = (type: string, listener: EventListenerOrEventListenerObject, options?: unknown) => {
    listening.push([window, type, listener, options]);
    listenToWindow(type, listener, options as AddEventListenerOptions);
  };
  globalThis.setTimeout = Object.assign(
    (...args: Parameters<typeof startTimer>) => remember(startTimer(...args)),
    startTimer,
  ) as unknown as typeof setTimeout;
  globalThis.setInterval = Object.assign(
    (...args: Parameters<typeof startInterval>) => remember(startInterval(...args)),
    startInterval,
  ) as unknown as typeof setInterval;
  // jsdom draws frames by one interval, which would end with a page's timers and never start again.
  const frames = new Map<number, ReturnType<typeof startTimer>>();
  globalThis.requestAnimationFrame = (draw) => {
    const id = frames.size + 1;
    const timer = startTimer(() => draw(performance.now()), FRAME_MS);
    frames.set(id, remember(timer));
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => clearTimeout(frames.get(id));
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name);
      channels.add(this);
    }

    // A page that has ended sends nothing; a closed channel would throw instead.
    override postMessage(message: unknown): void {
      if (channels.has(this)) super.postMessage(message);
    }
  };
  function remember<Timer extends ReturnType<typeof setTimeout>>(timer: Timer): Timer {
    timers.add(timer);
    return timer;
  }

  function endTimers(): void {
    for (const timer of timers) clearTimeout(timer);
    for (const channel of channels) channel.close();
    timers.clear();
    channels.clear();
  }

  return {
    end() {
      EventTarget.prototype.addEventListener = addEventListener;
      globalThis.addEventListener = listenToWindow;
      for (const [target, type, listener, options] of listening) {
        target.removeEventListener(type, listener, options as EventListenerOptions);
      }
      endTimers();
    },
    restore() {
      endTimers();
      Object.assign(globalThis, { setTimeout: startTimer, setInterval: startInterval, BroadcastChannel: Channel });
      Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame });
    },
  };
}
