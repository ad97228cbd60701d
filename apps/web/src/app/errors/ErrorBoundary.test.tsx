import { isValidElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { useUser } from '#web/shared/api/use-session.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorScreen } from './ErrorScreen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Screen() {
  return useUser().name;
}

/** The error of a screen that needs the user while no user is signed in. */
function errorOutside(): unknown {
  try {
    renderToString(<Screen />);
  } catch (error) {
    return error;
  }
  return null;
}

/**
 * A boundary that caught this error at an address; records where it sent the browser and how often it reloaded the
 * page.
 */
function caught(error: unknown, pathname = '/dashboard') {
  const replace = vi.fn<(address: string) => void>();
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { replace, reload, pathname });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const boundary = new ErrorBoundary({ children: 'all is well' });
  boundary.state = ErrorBoundary.getDerivedStateFromError(error);
  boundary.componentDidCatch(error, { componentStack: '' });
  return { shown: boundary.render(), went: replace.mock.calls.flat(), reloads: () => reload.mock.calls.length };
}

test('a screen without its user says so [spec 8.auth.no-context]', () => {
  expect(errorOutside()).toMatchObject({ message: 'Authentication context not available' });
});

test('a screen without its user leads to sign-in, with the reason [spec 8.auth.no-context-login]', () => {
  const { shown, went } = caught(errorOutside());
  expect(went).toEqual(['/login?error=Authentication%20context%20not%20available']);
  expect(shown).toBeNull();
});

test('anything else shows the error screen and goes nowhere', () => {
  const { shown, went } = caught(new TypeError('broken'));
  expect(isValidElement(shown) && shown.type).toBe(ErrorScreen);
  expect(went).toEqual([]);
});

test.each([
  ['/kiosk', 1],
  ['/kiosk/set-up', 1],
  ['/dashboard', 0],
  ['/kiosks', 0],
])('a broken screen at %s reloads itself %i times: only a kiosk has no user to press a button', (pathname, times) => {
  vi.useFakeTimers();
  const { shown, reloads } = caught(new TypeError('broken'), pathname);
  expect(isValidElement(shown) && shown.type).toBe(ErrorScreen);
  expect(reloads()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(reloads()).toBe(times);
});
