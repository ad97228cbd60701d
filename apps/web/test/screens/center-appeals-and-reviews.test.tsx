import { type CenterAppeal, listCenterAppeals } from '@sendlap/contract/center-management/center-appeals.ts';
import { listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import { inviteReferee } from '@sendlap/contract/center-management/center-staff.ts';
import { expect, test } from 'vitest';
import { REQUEST_ID } from '../models/fake-server.ts';
import { retryFailedRead } from '../scenes/failed-read.ts';
import { findSection, ManagedCenter, NO_STAFF, openManagement } from './managed-center.ts';

const APPEAL: CenterAppeal = {
  client_id: 'eeeeeeee-2222-4222-8222-222222222222',
  athlete: 'Ada',
  sport_type: 'swimming',
  started_at: '2026-11-26T07:00:00.000Z',
  ended_at: '2026-11-26T08:00:00.000Z',
  reason: 'I swam it all',
  open_until: '2026-11-26T20:30:00.000Z',
  referees: [
    { public_id: 'bo', name: 'Bo' },
    { public_id: 'rex', name: 'Rex' },
  ],
  can_decide: false,
};

async function openAppeals(appeals: CenterAppeal[], options: Parameters<typeof openManagement>[0] = {}) {
  const center = new ManagedCenter();
  center.appeals = appeals;
  return await openManagement({ center, ...options });
}

test('appeals that cannot be loaded say why, with the id of the request, and are loaded again', async () => {
  const phone = await openAppeals([], { prepare: (fake) => fake.refuse(listCenterAppeals, 'unavailable') });
  const appeals = await findSection('Appeals');
  await appeals.findByText(new RegExp(`quote request ${REQUEST_ID}`));
  await retryFailedRead(phone, listCenterAppeals, appeals);
  await appeals.findByText(/^No appeals right now/);
});

test.each([
  ['en', 'Appeals', /^Bo or Rex can decide this, until /, '“I swam it all”'],
  ['es', 'Solicitudes de otro árbitro', /^Puede decidir Bo o Rex, hasta las /, '«I swam it all»'],
] as const)('a manager who is no referee reads who can decide, in %s', async (language, title, who, reason) => {
  await openAppeals([APPEAL], { language });
  const appeals = await findSection(title);
  await appeals.findByText(who);
  appeals.getByText(reason);
  expect([appeals.queryByRole('link'), appeals.queryByRole('button')]).toEqual([null, null]);
});

test('a manager who is a referee opens the scan page with one tap', async () => {
  const { user } = await openAppeals([{ ...APPEAL, can_decide: true }]);
  const appeals = await findSection('Appeals');
  await appeals.findByText(/^You can decide this, until /);
  await user.click(appeals.getByRole('link', { name: "Scan the athlete's code" }));
  await expect.poll(() => location.pathname).toBe('/qr/scan');
});

test('where no referee can decide, one is invited with one tap', async () => {
  const invite = {
    code: 'abcd-efgh-jkmn',
    url: 'https://sendlap.example/qr/scan#abc',
    expires_at: '2026-11-27T10:00:00Z',
  };
  const { user, center, passTime } = await openAppeals([{ ...APPEAL, referees: [] }], {
    prepare: (server) => server.on(inviteReferee, () => invite),
  });
  const appeals = await findSection('Appeals');
  await appeals.findByText(/^No other referee here can decide this/);
  await user.click(appeals.getByRole('button', { name: 'Invite a referee' }));
  await appeals.findByText(/^The first person who scans this/);
  center.staff = {
    ...NO_STAFF,
    referees: [{ public_id: 'bo', name: 'Bo', sport_types: ['swimming'], valid_until: null }],
  };
  center.appeals = [APPEAL];
  await passTime(5_000);
  await appeals.findByText(/^Bo or Rex can decide this/);
});

test('reviews that cannot be loaded say why, and are loaded again', async () => {
  const phone = await openAppeals([], { prepare: (fake) => fake.refuse(listCenterReviews, 'unavailable') });
  const reviews = await findSection('Reviews');
  await reviews.findByText(new RegExp(`quote request ${REQUEST_ID}`));
  await retryFailedRead(phone, listCenterReviews, reviews);
  await reviews.findByText(/^Nothing unusual right now/);
});

test.each([
  [
    'en',
    'Reviews',
    'Athlete (rex) confirms only Athlete (ada).',
    /^Bo \(bo\) often uses the same kiosk codes as Athlete \(ada\)/,
  ],
  [
    'es',
    'Revisiones',
    'Deportista (rex) solo confirma a Deportista (ada).',
    /^Bo \(bo\) usa a menudo los mismos códigos del quiosco que Dep/,
  ],
] as const)('a manager reads the unusual patterns here, in %s', async (language, title, ...texts) => {
  const center = new ManagedCenter();
  // Two people without a name of their own.
  const nameless = { scanner: 'Athlete', athlete: 'Athlete', scanner_public_id: 'rex', athlete_public_id: 'ada' };
  const shared = { scanner: 'Athlete', athlete: 'Bo', scanner_public_id: 'ada', athlete_public_id: 'bo' };
  center.reviews = [
    { kind: 'one_athlete', ...nameless, count: 10 },
    { kind: 'shared_codes', ...shared, count: 3 },
  ];
  await openManagement({ center, language });
  const reviews = await findSection(title);
  for (const text of texts) await reviews.findByText(text);
  expect(reviews.queryByRole('button')).toBeNull();
});
