import { type Op, syncActivities } from '@sendlap/contract/activities.ts';
import { listBadges } from '@sendlap/contract/badges.ts';
import { updateCenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { AccountModel, BODY } from '../models/account-model.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { athlete, NORA } from '../people.ts';
import { finish, MINUTE_MS, openAppWithActivities, pathOf, startSwimming } from '../scenes/activity-scene.ts';
import { openCenters } from '../scenes/center-scene.ts';
import { bodyCard, expectGone, expectOnCard, findSheet, typeBody, typeInto } from '../scenes/profile-screen.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';
import { findSection, openManagement } from './managed-center.ts';

const AMERICAN = 'en-US';
/** An hour after the end of the activities of `activityOf`. */
const NOW = '2026-11-20T11:45:00Z';

async function openProfile(options: Parameters<typeof openApp>[0] = {}) {
  let account: AccountModel | undefined;
  const phone = await openApp({
    path: '/profile',
    now: NOW,
    ...options,
    prepare: (server) => {
      account = new AccountModel(server, NORA, BODY);
    },
  });
  if (!account) throw new Error('the app was opened without its account');
  return { phone, account };
}

async function openEditor({ user }: Phone): Promise<HTMLElement> {
  await user.click(await within(await bodyCard()).findByRole('button', { name: 'Edit' }));
  return findSheet('Your body data');
}

const chosenUnits = () =>
  screen
    .getAllByRole<HTMLInputElement>('radio', { checked: true })
    .map(({ labels }) => labels?.[0]?.textContent)
    .slice(2);

test.each([
  ['Age', '34', 'Weight', '44', 'From 44.1 lb to 881.8 lb.'],
  ['Age', '34', 'Height: feet', '5.5', 'Whole feet and inches, please.'],
  ['Age', '34', 'Height: inches', '12', 'From 0 to 11 inches, please.'],
  ['Height: inches', '11', 'Height: feet', '1', 'From 2 ft to 8 ft 6 in.'],
])('with %s %s, a %s of %s is refused: %s', async (label, text, wrong_label, wrong_text, problem) => {
  const { phone, account } = await openProfile({ locale: AMERICAN });
  await expectOnCard('135.6 lb');
  const sheet = await openEditor(phone);
  await typeBody(phone, sheet, { [label]: text, [wrong_label]: `${wrong_text}{Enter}` });
  await within(sheet).findByText(problem);
  expect(account.body()).toEqual(BODY);
});

test.each([
  ['en', undefined, ['mi', 'm', 'kg, cm'], ['61.5 kg', '170 cm']],
  ['en', AMERICAN, ['mi', 'yd', 'lb, ft'], ['135.6 lb', '5 ft 7 in']],
  ['es', undefined, ['km', 'm', 'kg, cm'], []],
  ['es', 'es-US', ['mi', 'yd', 'lb, ft'], []],
] as const)('in %s a browser of %s begins with the units %j', async (language, locale, units, shown) => {
  await openProfile({ language, ...(locale ? { locale } : {}) });
  await screen.findByRole('group', { name: /^(Distances and map|Distancias y mapa)$/ });
  expect(chosenUnits()).toEqual(units);
  for (const text of shown) await expectOnCard(text);
});

test('a chosen unit changes the card at once and stays on this device, also offline', async () => {
  const { phone } = await openProfile();
  await expectOnCard('61.5 kg', '170 cm');
  await phone.user.click(screen.getByRole('radio', { name: 'lb, ft' }));
  await expectOnCard('135.6 lb', '5 ft 7 in');
  phone.setOnline(false);
  await phone.reload();
  await expectOnCard('135.6 lb', '5 ft 7 in');
  expect(chosenUnits()).toEqual(['mi', 'm', 'lb, ft']);
});

test('150 lb are saved in kilograms and are 150 lb again; an untouched weight keeps its value in the other units', async () => {
  const { phone, account } = await openProfile({ locale: AMERICAN });
  await expectOnCard('135.6 lb');
  let sheet = await openEditor(phone);
  await typeBody(phone, sheet, { Weight: '150', 'Height: feet': '6', 'Height: inches': '{Backspace}' });
  await phone.user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await expectGone(sheet);
  await expectOnCard('150 lb', '6 ft');
  expect(account.body()).toEqual({ ...BODY, weight_kg: 68.04, height_cm: 182.88 });

  await phone.user.click(screen.getByRole('radio', { name: 'kg, cm' }));
  await expectOnCard('68 kg', '182.9 cm');
  sheet = await openEditor(phone);
  await typeBody(phone, sheet, { Age: '35' });
  await phone.user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await expectGone(sheet);
  expect(account.body()).toEqual({ ...BODY, age: 35, weight_kg: 68.04, height_cm: 182.88 });
});

test('25 lengths of a 25-yard pool are 625 yards: counted, saved, shown and corrected', async () => {
  const phone = await openAppWithActivities({ locale: AMERICAN });
  await startSwimming(phone);
  const pools = within(await screen.findByRole('group', { name: 'Pool' }));
  expect(pools.getAllByRole('radio').map((pool) => pool.closest('label')?.textContent)).toEqual([
    '25 yd',
    '25 m',
    '50 m',
    "Don't count",
  ]);
  const add = await screen.findByRole('button', { name: 'Add a length' });
  for (let length = 0; length < 25; length += 1) await phone.user.click(add);
  await screen.findByText('625 yd');
  await screen.findByText(/per 100 yd$/);
  await phone.passTime(20 * MINUTE_MS);
  await finish(phone);
  await screen.findByText(/625 yd$/);
  await screen.findByText('The server has it.');
  expect(phone.activities.list().map(({ distance_m }) => distance_m)).toEqual([572]);

  await phone.user.click(screen.getByRole('button', { name: 'Correct' }));
  const sheet = await findSheet('Correct this activity');
  const field = within(sheet).getByLabelText<HTMLInputElement>('Distance in yards');
  expect(field.value).toBe('625');
  await typeInto(phone, field, '109362');
  await within(sheet).findByText('Whole yards from 0 to 109,361.');
  await typeInto(phone, field, '650');
  await phone.user.click(within(sheet).getByRole('button', { name: 'Save the correction' }));
  await screen.findByText(/650 yd$/);
  await vi.waitFor(() => expect(phone.activities.list().map(({ distance_m }) => distance_m)).toEqual([594]));
});

test('an athlete in Spain reads metres of the same swim', async () => {
  const swim = activityOf(1, POOL, { distance_m: 572 });
  await openAppWithActivities({ path: pathOf(swim), first: [swim], language: 'es' });
  await screen.findByText(/572 m$/);
});

test('a referee corrects the distance in yards, and the op has metres', async () => {
  const swim = { ...activityOf(1, POOL, { distance_m: 1000 }), ended_at: '2026-11-20T10:45:00.000Z' };
  const ops: Op[] = [];
  const right = {
    sport_center_id: POOL.id,
    sport_center_name: POOL.name,
    sport_types: ['swimming' as const],
    valid_until: null,
  };
  const { user } = await openApp({
    path: pathOfCode(activityCode(swim, athlete('Mia', 5), NOW)),
    now: NOW,
    locale: AMERICAN,
    prepare(server) {
      answerCenter(server);
      server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
      server.on(syncActivities, ({ body }) => {
        ops.push(...(body.ops as Op[]));
        return { results: body.ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' as const, activity: null })) };
      });
    },
  });
  const card = within(await screen.findByRole('dialog', { name: 'Is this right?' }));
  await card.findByText('1,094 yd');
  await user.click(await card.findByRole('button', { name: 'Adjust' }));
  const field = await card.findByLabelText<HTMLInputElement>('Distance in yards');
  expect(field.value).toBe('1094');
  await user.clear(field);
  await user.type(field, '1000');
  await card.findByText('1,000 yd');
  await user.click(card.getByRole('button', { name: 'Confirm with these values' }));
  await vi.waitFor(() => expect(ops).toMatchObject([{ kind: 'scan', adjust: { distance_m: 914 } }]));
});

test('centers are near by miles, and a radius of miles is asked of the server in kilometres', async () => {
  const phone = await openCenters();
  const radius = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Distance' });
  expect([...radius.options].map(({ textContent }) => textContent)).toEqual([
    'Any distance',
    'Within 1 mi',
    'Within 3 mi',
    'Within 5 mi',
    'Within 15 mi',
    'Within 30 mi',
    'Within 60 mi',
  ]);
  await phone.user.selectOptions(radius, 'Within 5 mi');
  // Beside it, the centers around are loaded for later, within 25 km.
  const radii = () => phone.server.asked(searchSportCenters).map(({ query }) => Number(query.radius_km));
  await waitFor(() => expect(radii()).toContainEqual(expect.closeTo(8.04672, 9)));
  expect(radius.selectedOptions[0]?.textContent).toBe('Within 5 mi');
});

test('a badge of a kilometre shows its progress in yards', async () => {
  const shelf = [{ id: 'kilometre_1' as const, earned_at: null, progress: 975, goal: 1_000 }];
  const { user } = await openApp({
    path: '/badges',
    locale: AMERICAN,
    prepare: (server) => server.on(listBadges, () => ({ items: shelf })),
  });
  await user.click(await screen.findByRole('button', { name: /^Kilometre 1.*28 yd to go/ }));
  const sheet = within(await findSheet('Kilometre 1'));
  sheet.getByText('Swim 1,094 yd in total.');
  sheet.getByText('1,066 of 1,094 yd');
});

test('a manager adds a pool in yards, which is one of yards for everyone', async () => {
  const { user, server } = await openManagement();
  const details = await findSection('Details');
  await user.click(await details.findByRole('button', { name: 'Change details' }));
  const field = details.getByRole('textbox', { name: 'Another length in metres' });
  await user.type(field, '25 yd{Enter}');
  await user.click(details.getByRole('button', { name: 'Save' }));
  await screen.findByText('Details saved');
  expect(server.asked(updateCenterDetails).map(({ body }) => body)).toEqual([{ version: 0, pool_lengths_m: [22.86] }]);
  details.getByText('25 yd');
});
