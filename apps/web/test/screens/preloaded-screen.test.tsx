import { waitFor } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ROUTES } from '#web/app/router/router.tsx';
import { preloadScreen, SignedInFrame } from '#web/app/SignedInFrame.tsx';

vi.mock('#web/app/layouts/SignedInLayout.tsx', () => ({
  SignedInLayout: ({ children }: { children: ReactNode }) => <main>{children}</main>,
}));

/** Replaces the loading of every screen, and returns the paths whose screens were asked for. */
function notePreloads(): string[] {
  const asked: string[] = [];
  for (const { path, page } of ROUTES)
    vi.spyOn(page, 'preload').mockImplementation(async () => {
      asked.push(path);
    });
  return asked;
}

afterEach(() => vi.restoreAllMocks());

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

test('a layout that has loaded before its first render is shown without the placeholder', async () => {
  const root = document.createElement('div');
  const shown: string[] = [];
  new MutationObserver(() => shown.push(root.querySelector('[aria-busy]') ? 'placeholder' : 'screen')).observe(root, {
    childList: true,
    subtree: true,
  });
  preloadScreen('app', '/activities/4f6');
  await vi.dynamicImportSettled();
  const react_root = createRoot(root);
  onTestFinished(() => react_root.unmount());
  react_root.render(
    <SignedInFrame>
      <p>Home</p>
    </SignedInFrame>,
  );
  await waitFor(() => expect(root.textContent).toBe('Home'));
  expect(shown).toEqual(['screen']);
});
