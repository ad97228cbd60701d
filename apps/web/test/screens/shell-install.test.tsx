import { screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { openApp } from '../open-app.ts';

const IPHONE_SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Fires the event by which Chromium offers to install the app. */
function offerInstall(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn(() => Promise.resolve({ outcome }));
  const event = new Event('beforeinstallprompt', { cancelable: true });
  window.dispatchEvent(Object.assign(event, { prompt, userChoice: Promise.resolve({ outcome }) }));
  return { prompt, event };
}

test.each(['accepted', 'dismissed'] as const)(
  'the app offers to install itself when the browser does, and the athlete’s answer is %s [spec 2.install.prompt, 4.install.available, 4.install.accepted, 4.install.dismissed, 1.install.prompt]',
  async (outcome) => {
    const { user } = await openApp();
    await screen.findByRole('navigation');
    expect(screen.queryByRole('button', { name: 'Install' })).toBe(null);
    const { prompt, event } = offerInstall(outcome);
    expect(event.defaultPrevented).toBe(true);
    await user.click(await screen.findByRole('button', { name: 'Install' }));
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Install' })).toBe(null));
    expect(prompt).toHaveBeenCalledTimes(1);
    // After a yes the app is installed and the browser offers nothing more; after a no it may offer again, which is
    // ignored.
    if (outcome === 'dismissed') offerInstall(outcome);
    await runTurns();
    expect(screen.queryByRole('button', { name: 'Install' })).toBe(null);
  },
);

test('an athlete who said "Not now" is asked again after a month, not before', async () => {
  const { user, reload, passTime } = await openApp({ now: '2026-11-20T10:00:00Z' });
  await screen.findByRole('navigation');
  offerInstall('accepted');
  await user.click(await screen.findByRole('button', { name: 'Not now' }));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Install' })).toBe(null));
  await passTime(29 * 86_400_000);
  await reload();
  await screen.findByRole('navigation');
  offerInstall('accepted');
  await runTurns();
  expect(screen.queryByRole('button', { name: 'Install' })).toBe(null);
  await passTime(86_400_000);
  await reload();
  await screen.findByRole('navigation');
  offerInstall('accepted');
  await screen.findByRole('button', { name: 'Install' });
});

test('iOS Safari gets the steps instead of a prompt [spec 2.install.ios, 2.install.ios-home, 2.install.ios-add]', async () => {
  Object.defineProperty(navigator, 'userAgent', { value: IPHONE_SAFARI, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'userAgent'));
  await openApp();
  const last_step = await screen.findByText('Add to Home Screen');
  // The navigation is a list too, and may be there before.
  const list = last_step.closest<HTMLElement>('ol, ul');
  const steps = within(list ?? document.body)
    .getAllByRole('listitem')
    .map((step) => step.textContent ?? '');
  expect(steps.findIndex((step) => step.includes('Tap the share button in the bar of Safari'))).toBe(0);
  expect(steps.findIndex((step) => step.includes('Add to Home Screen'))).toBe(1);
  screen.getByText('Add');
  expect(screen.queryByRole('button', { name: 'Install' })).toBe(null);
});
