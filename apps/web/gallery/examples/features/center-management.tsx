import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import type { ComponentProps } from 'react';
import { PoolLengths } from '#web/features/center-management/details/PoolLengths.tsx';
import { ClosedDaysRow } from '#web/features/center-management/hours/ClosedDaysRow.tsx';
import { DayRow } from '#web/features/center-management/hours/DayRow.tsx';
import { weekdays } from '#web/features/center-management/hours/format-hours.ts';
import { Hours } from '#web/features/center-management/hours/Hours.tsx';
import { Section } from '#web/features/center-management/section/Section.tsx';
import { SportRows } from '#web/features/center-management/weeks/SportRows.tsx';
import { ClaimedCard } from '#web/features/claims/ClaimedCard.tsx';
import { PosterLink } from '#web/features/claims/PosterLink.tsx';
import { ApiError } from '#web/shared/api/errors.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import type { Example, Examples } from '../example.ts';
import { DAY_MS, dateBefore, HALL, LONG_CENTER } from './data.ts';
import { ignore, ToChange } from './interaction.tsx';

const TODAY = dateBefore(0);
const MORNING = { opens: '07:00', closes: '14:30' };
const EVENING = { opens: '17:00', closes: '23:00' };
const NIGHT = { opens: '20:00', closes: '02:00' };
const LONG_REASON = 'Vaciado anual del vaso grande y revisión de la depuradora por orden del Ayuntamiento';
const CLOSED = { from: TODAY, until: dateBefore(-9 * DAY_MS), reason: LONG_REASON };

export const WEEK: OpeningHours['weekly'] = [
  [MORNING, EVENING],
  [MORNING, EVENING],
  [MORNING],
  [EVENING],
  [NIGHT],
  [],
  [],
];
const OPEN = { version: 1, time_zone: 'Europe/Madrid' };

const day = (state: string, intervals: OpeningHours['weekly'][number]): Example => ({
  state,
  render: () => <Thursday intervals={intervals} />,
});

function Thursday({ intervals }: Pick<ComponentProps<typeof DayRow>, 'intervals'>) {
  const name = weekdays(useLocale()).find((weekday) => weekday.day === 3)?.name ?? '';
  return (
    <ToChange first={intervals}>
      {(value, onChange) => <DayRow name={name} intervals={value} onChange={onChange} onCopy={ignore} />}
    </ToChange>
  );
}

export const CENTER_MANAGEMENT: Examples = {
  'details/PoolLengths': [
    { state: 'none', lengths: [] },
    { state: 'several', lengths: [12.5, 16.67, 25, 33.33, 50] },
  ].map(({ state, lengths }) => ({
    state,
    render: () => (
      <ToChange first={lengths}>{(value, onChange) => <PoolLengths lengths_m={value} onChange={onChange} />}</ToChange>
    ),
  })),
  'hours/ClosedDaysRow': [{ ...CLOSED, until: TODAY, reason: null }, CLOSED].map((days) => ({
    state: days.reason === null ? 'one day' : 'ten days, with a long reason',
    render: () => (
      <ToChange first={days}>
        {(value) => <ClosedDaysRow days={value} today={TODAY} onChange={ignore} onRemove={ignore} />}
      </ToChange>
    ),
  })),
  'hours/DayRow': [
    day('closed', []),
    day('one interval', [MORNING]),
    day('as many as there can be', [MORNING, EVENING, NIGHT, { opens: '', closes: '' }]),
  ],
  'hours/Hours': [
    { state: 'not known', render: () => <Hours hours={{ ...OPEN, weekly: WEEK.map(() => []), closed_days: [] }} /> },
    { state: 'default', render: () => <Hours hours={{ ...OPEN, weekly: WEEK, closed_days: [] }} /> },
    { state: 'with closed days', render: () => <Hours hours={{ ...OPEN, weekly: WEEK, closed_days: [CLOSED] }} /> },
  ],
  'section/Section': [
    { state: 'loading', data: undefined, error: null },
    {
      state: 'failed (switch the network off)',
      data: undefined,
      error: new ApiError({ code: 'NETWORK_ERROR', status: 0 }),
    },
    { state: 'loaded', data: true, error: null },
  ].map(({ state, ...query }) => ({
    state,
    render: ({ title, text }) => (
      <Section title={title} query={{ ...query, refetch: ignore }}>
        {() => <p>{text}</p>}
      </Section>
    ),
  })),
  'weeks/SportRows': [
    { state: 'too few people', render: () => <SportRows sports={null} /> },
    {
      state: 'two sports',
      render: () => (
        <SportRows
          sports={[
            { sport: 'climbing', activities: 1, hours: 1, metres: null },
            { sport: 'swimming', activities: 12_345, hours: 9_876, metres: 4_321_000 },
          ]}
        />
      ),
    },
  ],
};

export const CLAIMS: Examples = {
  ClaimedCard: [HALL, LONG_CENTER].map(({ id, name }) => ({
    state: name === HALL.name ? 'default' : 'long name',
    render: () => <ClaimedCard id={id} name={name} />,
  })),
  PosterLink: [{ state: 'default', render: () => <PosterLink center_id={HALL.id} /> }],
};
