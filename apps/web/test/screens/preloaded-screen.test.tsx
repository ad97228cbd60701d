import { afterEach, expect, test, vi } from 'vitest';
import { ROUTES } from '#web/app/router/router.tsx';
import { preloadScreen } from '#web/app/SignedInFrame.tsx';

/** Replaces the loading of every screen, and returns the paths whose screens were asked for. */
function notePreloads(): string[] {
  const asked: string[] = [];
  for (const { path, page } of ROUTES)
    vi.spyOn(page, 'preload').mockImplementation(async () => {
      asked.push(path);
    });
  return asked;
}

afterEach(async () => {
  await vi.dynamicImportSettled();
  vi.restoreAllMocks();
});

test('a start asks for the code of the screen at its address, and from the home screen for that of Home', () => {
  const asked = notePreloads();
  preloadScreen('app', '/');
  preloadScreen('app', '/leaderboards');
  expect(asked).toEqual(['/dashboard', '/leaderboards']);
});

test('a screen with a parameter in its address is not asked for', () => {
  const asked = notePreloads();
  preloadScreen('app', '/activities/4f6');
  expect(asked).toEqual([]);
});

test.each(['sign-in', 'none', undefined])('the shell %s leads to no screen of a signed-in user', (shell) => {
  const asked = notePreloads();
  preloadScreen(shell, '/dashboard');
  expect(asked).toEqual([]);
});
