import { getCenterDetails, updateCenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import { getSportCenter } from '@sendlap/contract/sport-centers.ts';
import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { retryFailedRead } from '../scenes/failed-read.ts';
import { findSection, ManagedCenter, openManagement } from './managed-center.ts';

async function openForm(options: Parameters<typeof openManagement>[0] = {}) {
  const phone = await openManagement(options);
  const details = await findSection('Details');
  await phone.user.click(await details.findByRole('button', { name: 'Change details' }));
  return { ...phone, details };
}

test('details that cannot be loaded say why, and are loaded again', async () => {
  const phone = await openManagement({ prepare: (fake) => fake.refuse(getCenterDetails, 'unavailable') });
  const details = await findSection('Details');
  await retryFailedRead(phone, getCenterDetails, details);
  await details.findByText('Plaza de la Cebada 1');
});

test.each([
  ['Name', ' ', 'A center needs a name.'],
  ['Address', 'x'.repeat(201), 'This is too long.'],
  ['Phone', 'ask us', 'Write a phone number, such as +34 948 000 000.'],
  ['Website', 'our site', 'Write an address such as https://example.org.'],
])('a %s that no center has is not sent', async (label, typed, problem) => {
  const { user, server, details } = await openForm();
  const field = details.getByRole('textbox', { name: label });
  await user.clear(field);
  await user.click(field);
  await user.paste(typed);
  details.getByText(problem);
  await user.click(details.getByRole('button', { name: 'Save' }));
  expect(server.asked(updateCenterDetails)).toEqual([]);
});

test('a change sends the changed facts alone, and shows them', async () => {
  const { user, server, details } = await openForm();
  const site = details.getByRole('textbox', { name: 'Website' });
  await user.type(site, 'piscina.example');
  await user.click(details.getByRole('radio', { name: 'Everyone' }));
  await user.click(details.getByRole('button', { name: '25 m' }));
  await user.type(details.getByRole('textbox', { name: 'Another length in metres' }), '33,33{Enter}');
  await user.click(details.getByRole('button', { name: 'Climbing' }));
  await user.click(details.getByRole('button', { name: 'Save' }));
  await screen.findByText('Details saved');
  expect(server.asked(updateCenterDetails).map(({ body }) => body)).toEqual([
    {
      version: 0,
      url: 'https://piscina.example',
      is_private: false,
      pool_lengths_m: [25, 33.33],
      sports: ['climbing', 'swimming'],
    },
  ]);
  details.getByText('25 m · 33.33 m');
  details.getByRole('button', { name: 'Change details' });
});

test('a length that no pool has is refused', async () => {
  const { user, details } = await openForm();
  await user.type(details.getByRole('textbox', { name: 'Another length in metres' }), '1000');
  await user.click(details.getByRole('button', { name: 'Add' }));
  details.getByText('Write a length from 5 m to 100 m.');
  expect(details.queryByRole('button', { name: '1,000 m' })).toBeNull();
});

test('the second of two managers reads of the first, keeps the typed text, and can save it', async () => {
  const { user, server, center, details } = await openForm();
  const phone = details.getByRole('textbox', { name: 'Phone' });
  await user.clear(phone);
  await user.type(phone, '+34 2');
  center.change({ phone: '+34 3', address: 'Calle Nueva 5' });
  await user.click(details.getByRole('button', { name: 'Save' }));
  await details.findByText('Another manager changed this in the meantime. Look at it again before you save.');
  await expect.poll(() => details.getByRole('textbox', { name: 'Address' })).toHaveProperty('value', 'Calle Nueva 5');
  expect(phone).toHaveProperty('value', '+34 2');
  await details.findByText('Saved by another manager: +34 3');
  await user.click(details.getByRole('button', { name: 'Save' }));
  await screen.findByText('Details saved');
  expect(server.asked(updateCenterDetails).at(-1)?.body).toEqual({ version: 1, phone: '+34 2' });
});

test('after too many changes the form says from when on it can be saved, and keeps the typed text', async () => {
  const { user, server, details } = await openForm();
  server.refuse(updateCenterDetails, 'too_many_requests', { 'retry-after': '1800' });
  const phone = details.getByRole('textbox', { name: 'Phone' });
  await user.clear(phone);
  await user.type(phone, '+34 2');
  await user.click(details.getByRole('button', { name: 'Save' }));
  await details.findByText('That is the limit for now. Try again in 30 minutes.');
  expect(phone).toHaveProperty('value', '+34 2');
  server.heal(updateCenterDetails);
  await user.click(details.getByRole('button', { name: 'Save' }));
  await screen.findByText('Details saved');
});

test('a fact that a manager set falls back to the imported one', async () => {
  const center = new ManagedCenter();
  center.change({ source_facts: { phone: '+34 9' } });
  const { user, server, details } = await openForm({ center });
  details.getByText('Imported: +34 9');
  await user.click(details.getByRole('button', { name: 'Use it' }));
  await user.click(details.getByRole('button', { name: 'Save' }));
  await screen.findByText('Details saved');
  expect(server.asked(updateCenterDetails)[0]?.body).toEqual({ version: 1, phone: '+34 9' });
});

test('in Spanish, and nothing is sent if nothing was changed', async () => {
  const { user, server } = await openManagement({ language: 'es' });
  const details = await findSection('Datos');
  await user.click(await details.findByRole('button', { name: 'Cambiar los datos' }));
  await user.click(details.getByRole('button', { name: 'Guardar' }));
  await details.findByRole('button', { name: 'Cambiar los datos' });
  expect(server.asked(updateCenterDetails)).toEqual([]);
});

test('without a network nothing can be saved', async () => {
  const { setOnline, details } = await openForm();
  setOnline(false);
  expect(await details.findByRole('button', { name: /: Needs a connection$/ })).toHaveProperty('disabled', true);
});

test.each([
  ['en', 'Pool: 25 m · 50 m'],
  ['es', 'Piscina: 25 m · 50 m'],
] as const)('a swimmer reads the lengths of the pools on the page of the center, in %s', async (language, text) => {
  await openApp({
    path: `/sport-centers/${POOL.id}`,
    language,
    prepare: (server) => {
      answerCenter(server);
      server.on(getSportCenter, () => ({ ...POOL, pool_lengths_m: [25, 50] }));
    },
  });
  await screen.findByText(text);
});
