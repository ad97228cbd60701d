import { getCenterHours, updateCenterHours } from '@sendlap/contract/center-management/center-hours.ts';
import { getSportCenter } from '@sendlap/contract/sport-centers.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { fireEvent, screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { retryFailedRead } from '../scenes/failed-read.ts';
import { findSection, ManagedCenter, openManagement } from './managed-center.ts';

const LONG_DAY = { opens: '07:00', closes: '21:30' };
const DAILY: OpeningHours['weekly'] = Array(7).fill([LONG_DAY]);

async function openForm(options: Parameters<typeof openManagement>[0] = {}) {
  const phone = await openManagement(options);
  const hours = await findSection('Opening hours');
  await phone.user.click(await hours.findByRole('button', { name: 'Change hours' }));
  return { ...phone, hours };
}

/** Chooses a value in an input of times or dates. */
const choose = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });

test('hours that cannot be loaded say why, and are loaded again', async () => {
  const phone = await openManagement({ prepare: (fake) => fake.refuse(getCenterHours, 'unavailable') });
  const hours = await findSection('Opening hours');
  await retryFailedRead(phone, getCenterHours, hours);
  await hours.findByText(/^No hours yet/);
});

test('overlapping times, a missing time and a wrong range are not sent', async () => {
  const { user, server, hours } = await openForm();
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  await user.click(hours.getByRole('button', { name: 'Save' }));
  hours.getByText('A time is missing.');
  const [, opens] = hours.getAllByLabelText('Monday, opens') as [HTMLElement, HTMLElement];
  const [, closes] = hours.getAllByLabelText('Monday, closes') as [HTMLElement, HTMLElement];
  choose(opens, '20:00');
  choose(closes, '22:00');
  hours.getByText(/^Two times of opening overlap/);
  await user.click(hours.getAllByRole('button', { name: 'Remove these hours: Monday' })[1] as HTMLElement);
  await user.click(hours.getByRole('button', { name: 'Add closed days' }));
  choose(hours.getByLabelText('Last day'), '2026-11-25');
  hours.getByText('Closed days end before they begin.');
  await user.click(hours.getByRole('button', { name: 'Save' }));
  expect(server.asked(updateCenterHours)).toEqual([]);
});

test('after too many changes the form says from when on it can be saved, and keeps the times', async () => {
  const { user, server, hours } = await openForm();
  server.refuse(updateCenterHours, 'too_many_requests', { 'retry-after': '1800' });
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  choose(hours.getByLabelText('Monday, opens'), '07:00');
  choose(hours.getByLabelText('Monday, closes'), '21:30');
  await user.click(hours.getByRole('button', { name: 'Save' }));
  await hours.findByText('That is the limit for now. Try again in 30 minutes.');
  expect(hours.getByLabelText('Monday, closes')).toHaveProperty('value', '21:30');
});

test('a week is set by one day and a copy, with closed days', async () => {
  const { user, server, hours } = await openForm();
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  choose(hours.getByLabelText('Monday, opens'), '07:00');
  choose(hours.getByLabelText('Monday, closes'), '21:30');
  await user.click(hours.getByRole('button', { name: 'Copy to all days' }));
  await user.click(hours.getByRole('button', { name: 'Remove these hours: Sunday' }));
  await user.click(hours.getByRole('button', { name: 'Add closed days' }));
  choose(hours.getByLabelText('First day'), '2026-12-24');
  await user.type(hours.getByLabelText('Reason (optional)'), 'Gala ');
  await user.click(hours.getByRole('button', { name: 'Save' }));
  await screen.findByText('Hours saved');
  expect(server.asked(updateCenterHours).map(({ body }) => body)).toEqual([
    {
      version: 0,
      weekly: [...Array(6).fill([LONG_DAY]), []],
      closed_days: [{ from: '2026-12-24', until: '2026-12-24', reason: 'Gala' }],
    },
  ]);
  expect(hours.getAllByText('07:00–21:30')).toHaveLength(6);
  hours.getByText('24 Dec 2026');
});

test.each(['Save', 'Cancel'])('after %s the window is back at the hours', async (button) => {
  const { user, hours } = await openForm();
  const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  await user.click(hours.getByRole('button', { name: button }));
  await hours.findByRole('button', { name: 'Change hours' });
  const heading = hours.getByRole('heading', { name: 'Opening hours' });
  await vi.waitFor(() => expect(scrolls.mock.contexts).toEqual([heading.closest('section')]));
});

test('the second of two managers keeps what they typed, and decides with the next save', async () => {
  const { user, server, center, hours } = await openForm();
  await user.click(hours.getByRole('button', { name: 'Add hours: Monday' }));
  center.changeHours({ weekly: DAILY });
  await user.click(hours.getByRole('button', { name: 'Save' }));
  await hours.findByText('Another manager changed this in the meantime. Look at it again before you save.');
  await hours.findByText('Saved by another manager');
  expect(hours.getAllByText('07:00–21:30')).toHaveLength(7);
  expect(hours.getByLabelText('Monday, opens')).toHaveProperty('value', '09:00');
  await user.click(hours.getByRole('button', { name: 'Save' }));
  await screen.findByText('Hours saved');
  expect(server.asked(updateCenterHours).at(-1)?.body).toMatchObject({ version: 1 });
});

test('in Spanish, without closed days that are over', async () => {
  const center = new ManagedCenter();
  center.changeHours({
    weekly: DAILY,
    closed_days: [
      { from: '2026-11-01', until: '2026-11-02', reason: 'Puente' },
      { from: '2026-12-24', until: '2026-12-26', reason: 'Navidad' },
    ],
  });
  const { user } = await openManagement({ center, language: 'es' });
  const hours = await findSection('Horario');
  expect(await hours.findAllByText('7:00–21:30')).toHaveLength(7);
  hours.getByText(/Navidad/);
  expect(hours.queryByText(/Puente/)).toBeNull();
  await user.click(hours.getByRole('button', { name: 'Cambiar el horario' }));
  expect(hours.getAllByLabelText('Motivo (opcional)')).toHaveLength(1);
});

test.each([
  ['en-GB', 'Monday'],
  ['en-US', 'Sunday'],
])(
  'in %s the week begins on %s, in the list and in the form, and each time is saved for its day',
  async (locale, first) => {
    const center = new ManagedCenter();
    center.changeHours({ weekly: WEEKEND });
    const { user, server } = await openManagement({ center, locale });
    const hours = await findSection('Opening hours');
    expect((await hours.findAllByRole('term'))[0]?.textContent).toBe(first);
    await user.click(hours.getByRole('button', { name: 'Change hours' }));
    expect(hours.getAllByRole('group')[0]).toBe(hours.getByRole('group', { name: first }));
    await user.click(hours.getByRole('button', { name: 'Remove these hours: Saturday' }));
    await user.click(hours.getByRole('button', { name: 'Add hours: Sunday' }));
    await user.click(hours.getByRole('button', { name: 'Save' }));
    await screen.findByText('Hours saved');
    const weekly = [...Array(6).fill([]), [{ opens: '09:00', closes: '21:00' }]];
    expect(server.asked(updateCenterHours).at(-1)?.body).toMatchObject({ weekly });
  },
);

test('without a network nothing can be saved', async () => {
  const { setOnline, hours } = await openForm();
  setOnline(false);
  expect(await hours.findByRole('button', { name: /: Needs a connection$/ })).toHaveProperty('disabled', true);
});

const GALA = { from: '2026-11-26', until: '2026-11-26', reason: 'swimming gala' };
const WEEKEND: OpeningHours['weekly'] = [[], [], [], [], [], [LONG_DAY], []];
test.each([
  ['en', '2026-11-26T10:00:00Z', { weekly: DAILY }, 'Open until 21:30'],
  [
    'es',
    '2026-11-26T21:00:00Z',
    { weekly: DAILY, closed_days: [GALA] },
    'Hoy cerrado: swimming gala · Abre mañana a las 7:00',
  ],
] as const)('the page of the center says, in %s at %s: %s %s', async (language, now, hours, text) => {
  await openApp({
    path: `/sport-centers/${POOL.id}`,
    language,
    now,
    prepare: (server) => {
      answerCenter(server);
      const opening_hours = { closed_days: [], ...hours } as OpeningHours;
      server.on(getSportCenter, () => ({ ...POOL, time_zone: 'Europe/Madrid', opening_hours }));
    },
  });
  await screen.findByText(text);
});

test('the page of a center without known hours has no such line', async () => {
  await openApp({ path: `/sport-centers/${POOL.id}`, prepare: (server) => answerCenter(server) });
  await screen.findByRole('heading', { level: 1, name: POOL.name });
  expect(screen.queryByText(/^(Open( until .+)?|Closed.*)$/)).toBeNull();
});
