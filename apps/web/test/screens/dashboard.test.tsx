import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';

test('a dashboard that cannot be read says so, and why, and Retry reads it [spec 8.other.dashboard, 8.other.network]', async () => {
  const phone = await openApp({
    prepare: (server) => server.replyRaw(getDashboard, () => new Response('{}', { status: 400 })),
  });
  const { user, server } = phone;
  const title = { name: 'Error loading dashboard data' };
  const problem = async () => {
    const alert = (await screen.findByRole('heading', title)).closest<HTMLElement>('[role=alert]');
    if (!alert) throw new Error('the problem is not in an alert');
    return within(alert);
  };
  await problem();
  // What needs no dashboard is there.
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  phone.setOnline(false);
  server.heal(getDashboard);
  await user.click((await problem()).getByRole('button', { name: 'Retry' }));
  await (await problem()).findByText('Network error');
  phone.setOnline(true);
  const asked = server.asked(getDashboard).length;
  await user.click((await problem()).getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Skills' });
  expect(server.asked(getDashboard).length).toBeGreaterThan(asked);
  await waitFor(() => expect(screen.queryByRole('heading', title)).toBeNull());
});
