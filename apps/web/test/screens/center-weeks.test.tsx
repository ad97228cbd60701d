import { type CenterWeek, getCenterWeeks } from '@sendlap/contract/center-management/center-weeks.ts';
import { expect, test } from 'vitest';
import { retryFailedRead } from '../scenes/failed-read.ts';
import { findSection, ManagedCenter, openManagement } from './managed-center.ts';

const HIDDEN = { total: null, sports: null, confirmed_percent: null };
const RUNNING: CenterWeek = { week_key: '2026-W48', starts_on: '2026-11-23', is_running: true, ...HIDDEN };
const LAST: CenterWeek = {
  week_key: '2026-W47',
  starts_on: '2026-11-16',
  is_running: false,
  total: { people: 12, activities: 1300, hours: 31 },
  sports: [
    { sport: 'climbing', activities: 1, hours: 1, metres: null },
    { sport: 'swimming', activities: 1299, hours: 30, metres: 24_500 },
  ],
  confirmed_percent: 75,
};

async function openWeeks(weeks: CenterWeek[], options: Parameters<typeof openManagement>[0] = {}) {
  const center = new ManagedCenter();
  center.weeks = weeks;
  return await openManagement({ center, ...options });
}

test('numbers that cannot be loaded say so, and are loaded again', async () => {
  const phone = await openWeeks([RUNNING, LAST], {
    prepare: (fake) => fake.refuse(getCenterWeeks, 'unavailable'),
  });
  const weeks = await findSection('This week');
  await retryFailedRead(phone, getCenterWeeks, weeks);
  await weeks.findByText('Fewer than 5 people so far this week.');
});

test('hidden numbers say why they are hidden', async () => {
  await openWeeks([RUNNING, { ...LAST, ...HIDDEN }, { ...LAST, week_key: '2026-W46', starts_on: '2026-11-09' }]);
  const weeks = await findSection('This week');
  await weeks.findByText('Fewer than 5 people so far this week.');
  expect(weeks.getAllByRole('row')[1]?.textContent).toBe('16 Novunder 5 people–');
});

test('weeks that are all hidden are one sentence instead of a table', async () => {
  await openWeeks([RUNNING, { ...LAST, ...HIDDEN }]);
  const weeks = await findSection('This week');
  await weeks.findByText('The week before: fewer than 5 people.');
  expect(weeks.queryByRole('table')).toBeNull();
});

test.each([
  [
    'en',
    'This week',
    'Week ofPeopleActivitiesHoursConfirmed',
    '16 Nov121,3003175%',
    '1,299 activities · 30 hours · 24,500 m',
  ],
  [
    'es',
    'Esta semana',
    'SemanaPersonasActividadesHorasConfirmadas',
    '16 nov1213003175 %',
    '1299 actividades · 30 horas · 24.500 m',
  ],
] as const)('the weeks before are a table, in %s', async (language, title, head, row, swum) => {
  await openWeeks([RUNNING, LAST], { language });
  const weeks = await findSection(title);
  const rows = await weeks.findAllByRole('row');
  expect(rows.map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '))).toEqual([head, row]);
  weeks.getByText(swum);
});

test('this week has its numbers as lower bounds, and says if a sport has too few people', async () => {
  await openWeeks([{ ...RUNNING, total: { people: 10, activities: 15, hours: 20 } }, LAST]);
  const weeks = await findSection('This week');
  await weeks.findByText('10+');
  weeks.getByText('By sport: hidden, because fewer than 5 people did one of the sports.');
});
