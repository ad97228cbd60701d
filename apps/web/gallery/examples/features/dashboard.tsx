import { addDays, isoWeekKey } from '@sendlap/domain/dates.ts';
import { SKILL_AXES } from '@sendlap/domain/progress/skills.ts';
import type { ComponentProps } from 'react';
import { RECAP } from '#test/models/recap.ts';
import { PeriodCard } from '#web/features/dashboard/recap/PeriodCard.tsx';
import { PersonalBests } from '#web/features/dashboard/recap/PersonalBests.tsx';
import { SkillRadar } from '#web/features/dashboard/SkillRadar.tsx';
import { SkillsCard } from '#web/features/dashboard/SkillsCard.tsx';
import { StreakTile } from '#web/features/dashboard/StreakTile.tsx';
import { TrendCard } from '#web/features/dashboard/TrendCard.tsx';
import { WeekCard } from '#web/features/dashboard/WeekCard.tsx';
import { WeekRing } from '#web/features/dashboard/WeekRing.tsx';
import { RankChip } from '#web/features/leaderboards/RankChip.tsx';
import { ApiError } from '#web/shared/api/errors.ts';
import type { Example, Examples } from '../example.ts';
import { LONG_CENTER_NAME } from './data.ts';
import { ignore } from './interaction.tsx';

const skills = (value: (nth: number) => number) =>
  SKILL_AXES.map((axis, nth) => ({ axis, value: value(nth), measured: value(nth) / 2, anchor: 90 }));
const NO_SKILLS = skills(() => 0);
const SKILLS = skills((nth) => [62, 100, 7, 45, 88, 33][nth] ?? 0);

const STREAK = { weeks: 3, target_days: 2, days_this_week: 1, rest_available: true };
const STREAKS = {
  'no week yet': { weeks: 0, target_days: 1, days_this_week: 0, rest_available: false },
  'one day to go': STREAK,
  'more days than needed': { weeks: 104, target_days: 4, days_this_week: 7, rest_available: false },
};

const WEEKS = 12;
const trend = (figures: (nth: number) => { points: number; unconfirmed: number }) =>
  Array.from({ length: WEEKS }, (_, nth) => {
    const starts_on = addDays('2026-11-23', 7 * (nth + 1 - WEEKS));
    return { key: isoWeekKey(starts_on), starts_on, waiting: 0, ...figures(nth) };
  });

type WeekProps = ComponentProps<typeof WeekCard>;
const STATE: WeekProps['state'] = {
  dashboard: {
    lifetime_points: 12_480,
    week: { key: '2026-W48', starts_on: '2026-11-23', ends_on: '2026-11-29', time_zone: 'Europe/Madrid', points: 430 },
    streak: STREAK,
    rank: null,
    rank_known: true,
    badges: { earned: 0, total: 0, latest: [], next: [] },
    skills: { axes: SKILLS },
    trend: { weeks: [] },
  },
  error: null,
  is_current_week: true,
  cached_at: null,
  refreshing: false,
  retry: ignore,
};
const RANK = { rank: 12, total: 1_204, previous_rank: 15, hidden: false };

const week = (state: string, points: number, more: Partial<WeekProps> = {}): Example => ({
  state,
  render: () => (
    <WeekCard
      week={{ points, unconfirmed: 0, waiting: 0 }}
      state={STATE}
      has_points
      rank={<RankChip rank={RANK} />}
      {...more}
    />
  ),
});
const ring = (state: string, points: number, unconfirmed = 0): Example => ({
  state,
  render: () => <WeekRing points={points} unconfirmed={unconfirmed} />,
});

export const DASHBOARD: Examples = {
  SkillRadar: [
    { state: 'no activity', render: () => <SkillRadar axes={NO_SKILLS} /> },
    { state: 'default', render: () => <SkillRadar axes={SKILLS} /> },
  ],
  SkillsCard: [{ state: 'default', render: () => <SkillsCard skills={{ axes: SKILLS }} /> }],
  StreakTile: [
    { state: 'loading', render: () => <StreakTile streak={null} is_current_week /> },
    ...Object.entries(STREAKS).map(
      ([state, streak]): Example => ({ state, render: () => <StreakTile streak={streak} is_current_week /> }),
    ),
    { state: 'the week is over', render: () => <StreakTile streak={STREAK} is_current_week={false} /> },
  ],
  TrendCard: [
    { state: 'empty', render: () => <TrendCard weeks={trend(() => ({ points: 0, unconfirmed: 0 }))} /> },
    { state: 'confirmed', render: () => <TrendCard weeks={trend((nth) => ({ points: nth * 110, unconfirmed: 0 }))} /> },
    {
      state: 'unconfirmed',
      render: () => <TrendCard weeks={trend((nth) => ({ points: 40 * (nth % 4), unconfirmed: 1_240 * (nth % 3) }))} />,
    },
  ],
  WeekCard: [
    week('no activity yet', 0, { has_points: false }),
    week('unconfirmed only', 0, { has_points: false, week: { points: 0, unconfirmed: 331, waiting: 331 } }),
    week('below the goal', 430, { week: { points: 430, unconfirmed: 1_571, waiting: 331 } }),
    week('above the stretch goal', 1_571),
    week('loading', 430, { state: { ...STATE, dashboard: null }, rank: <RankChip rank={undefined} /> }),
    week('failed', 430, {
      state: { ...STATE, dashboard: null, error: new ApiError({ code: 'NETWORK_ERROR', status: 0 }) },
      rank: <RankChip rank="unreadable" />,
    }),
  ],
  WeekRing: [
    ring('empty', 0),
    ring('unconfirmed', 0, 331),
    ring('below the goal', 430, 1_571),
    ring('above the goal', 1_571),
  ],
  'recap/PeriodCard': [RECAP.last_week, RECAP.season].flatMap((recap) =>
    recap
      ? [{ state: recap.key, render: ({ title, label }) => <PeriodCard title={title} dates={label} recap={recap} /> }]
      : [],
  ),
  'recap/PersonalBests': [
    { state: 'default', render: () => <PersonalBests recap={RECAP} /> },
    {
      state: 'long names',
      render: () => (
        <PersonalBests
          recap={{ ...RECAP, bests: RECAP.bests.map((best) => ({ ...best, sport_center_name: LONG_CENTER_NAME })) }}
        />
      ),
    },
  ],
};
