import { screen } from '@testing-library/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openApp } from '../open-app.ts';

const TOAST_PX = 64;
const observers = new Set<SizeObserver>();

/** Tells of sizes when the test asks for it: jsdom has no layout. */
class SizeObserver {
  readonly #tell: ResizeObserverCallback;

  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }

  observe(): void {
    observers.add(this);
  }

  unobserve(): void {}

  disconnect(): void {
    observers.delete(this);
  }

  tell(): void {
    this.#tell([], this);
  }
}

/** The room that the page has for toasts, once all sizes are told. */
function toastRoom(): string {
  for (const observer of observers) observer.tell();
  return document.documentElement.style.getPropertyValue('--toast-room');
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', SizeObserver);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const toasts = this.querySelectorAll('[role=dialog][aria-modal=false]').length;
    return new DOMRect(0, 0, 390, toasts * TOAST_PX);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  observers.clear();
});

test.each(['/badges', '/leaderboards'])(
  'on %s, the page has room for each toast as long as it is shown',
  async (path) => {
    await openApp({ path });
    await screen.findByRole('navigation');
    await screen.findByRole('heading', { level: 1 });
    const { toast } = await import('#web/shared/ui/feedback/toast.ts');
    const close = toast({ title: 'New badge', timeout_ms: 0 });
    await screen.findByText('New badge');
    expect(toastRoom()).toBe('76px');
    const closeSecond = toast({ title: 'Saved', timeout_ms: 0 });
    await screen.findByText('Saved');
    expect(toastRoom()).toBe('140px');
    close();
    closeSecond();
    await vi.waitFor(() => expect(['', '0px']).toContain(toastRoom()));
  },
);
