import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { setGeolocation } from '../device/geolocation.ts';
import { openCenters, rowNames } from '../scenes/center-scene.ts';

test.each([
  { failure: 1, permission: 'denied', what: 'Location permission denied.' },
  { failure: 2, permission: 'prompt', what: 'Location unavailable.' },
  { failure: 3, permission: 'prompt', what: 'Location request timed out.' },
] as const)(
  'a position that does not come is explained, with a way on: $what',
  async ({ failure, permission, what }) => {
    const asked = setGeolocation(permission, { failure });
    const { user } = await openCenters();
    const rows = rowNames();
    await user.click(await screen.findByRole('button', { name: 'Show where I am' }));
    const sheet = await screen.findByRole('dialog');
    // Without an earlier decision, the app explains its reason before the browser asks.
    if (permission === 'prompt') {
      within(sheet).getByText(/the closest centers come first/);
      expect(asked.times).toBe(0);
      await user.click(within(sheet).getByRole('button', { name: 'Use my position' }));
    }
    const alert = () => within(sheet).findByRole('alert');
    expect((await alert()).textContent).toBe(what);
    const before = asked.times;
    await user.click(within(sheet).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(asked.times).toBe(before + 1));
    expect((await alert()).textContent).toBe(what);
    await user.click(within(sheet).getByRole('button', { name: 'Type a city instead' }));
    await waitFor(() => expect(sheet.isConnected).toBe(false));
    expect(rowNames()).toEqual(rows);
    expect(window.location.search).not.toContain('near=me');
  },
);
