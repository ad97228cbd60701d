import { NO_FILTER } from '#web/features/activities/data/history-filter.ts';
import { NoActivities } from '#web/features/activities/FirstSteps.tsx';
import { ActivityRows } from '#web/features/activities/history/ActivityRow.tsx';
import { CalendarGrid } from '#web/features/activities/history/CalendarGrid.tsx';
import { HistoryAge } from '#web/features/activities/history/HistoryAge.tsx';
import { HistoryFilters } from '#web/features/activities/history/HistoryFilters.tsx';
import { LoadMoreFailed } from '#web/features/activities/history/LoadMoreFailed.tsx';
import { RecentActivities } from '#web/features/activities/history/RecentActivities.tsx';
import { ApiError } from '#web/shared/api/errors.ts';
import type { Example, Examples } from '../example.ts';
import { ACTIVITIES, before, DAY_MS, dateBefore, HOUR_MS, NOW } from './data.ts';
import { ignore, ToChange } from './interaction.tsx';

const unreachable = new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const ALL = Object.values(ACTIVITIES);
const TODAY = dateBefore(0);
const DAYS = new Map([
  [TODAY, [ACTIVITIES.waiting, ACTIVITIES.saved, ACTIVITIES.confirmed, ACTIVITIES.rejected]],
  [`${TODAY.slice(0, 7)}-03`, [ACTIVITIES.confirmed_by_friend]],
  [`${TODAY.slice(0, 7)}-12`, [ACTIVITIES.too_late, ACTIVITIES.refused]],
]);

const filters = (state: string, filter: Partial<typeof NO_FILTER>, has_dates = true): Example => ({
  state,
  render: () => (
    <ToChange first={{ ...NO_FILTER, ...filter }}>
      {(value, onChange) => <HistoryFilters filter={value} has_dates={has_dates} onChange={onChange} />}
    </ToChange>
  ),
});

const calendar = (state: string, days: typeof DAYS): Example => ({
  state,
  render: () => (
    <ToChange first={TODAY}>
      {(selected, onSelect) => (
        <CalendarGrid
          month={TODAY.slice(0, 7)}
          today={TODAY}
          selected={selected}
          days={days}
          now={NOW}
          onSelect={onSelect}
        />
      )}
    </ToChange>
  ),
});

export const ACTIVITY_LISTS: Examples = {
  FirstSteps: [
    { state: 'no activity yet', render: () => <NoActivities unread={null} retry={ignore} /> },
    { state: 'loading', render: () => <NoActivities unread={{ error: null }} retry={ignore} /> },
    {
      state: 'failed (switch the network off)',
      render: () => <NoActivities unread={{ error: unreachable }} retry={ignore} />,
    },
  ],
  'history/ActivityRow': [
    ...Object.entries(ACTIVITIES).map(
      ([state, activity]): Example => ({
        state: state.replaceAll('_', ' '),
        render: () => <ActivityRows activities={[activity]} />,
      }),
    ),
    { state: 'in a wide list, with the age', wide: true, render: () => <ActivityRows activities={ALL} now={NOW} /> },
  ],
  'history/CalendarGrid': [calendar('default', DAYS), calendar('empty', new Map())],
  'history/HistoryAge': [
    { state: 'a copy of two days ago', render: () => <HistoryAge cached_at={NOW - 2 * DAY_MS} /> },
    { state: 'a copy of an hour ago', render: () => <HistoryAge cached_at={Date.parse(before(HOUR_MS))} /> },
    { state: 'nothing was loaded (switch the network off)', render: () => <HistoryAge cached_at={null} /> },
  ],
  'history/HistoryFilters': [
    filters('none chosen', {}),
    filters('all chosen', { sport: 'swimming', status: 'finished', from: '2026-09-28', to: '2026-10-04' }),
    filters('since a day', { from: '2026-09-28' }),
    filters('in the calendar', { status: 'rejected' }, false),
  ],
  'history/LoadMoreFailed': [
    { state: 'default', render: () => <LoadMoreFailed busy={false} onRetry={ignore} /> },
    { state: 'busy', render: () => <LoadMoreFailed busy onRetry={ignore} /> },
  ],
  'history/RecentActivities': [
    { state: 'one', render: () => <RecentActivities activities={ALL.slice(0, 1)} now={NOW} /> },
    { state: 'more than it shows', render: () => <RecentActivities activities={ALL} now={NOW} /> },
  ],
};
