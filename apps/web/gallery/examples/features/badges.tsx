import { BADGE_IDS, BADGES, type BadgeId } from '@sendlap/domain/progress/badges.ts';
import { BadgesCard } from '#web/features/badges/BadgesCard.tsx';
import { Medal } from '#web/features/badges/Medal.tsx';
import { ProgressBar } from '#web/features/badges/ProgressBar.tsx';
import type { Examples } from '../example.ts';
import { before, DAY_MS } from './data.ts';

const TOTAL = BADGE_IDS.length;
const badge = (id: BadgeId, progress: number) => {
  const { goal } = BADGES[id];
  return { id, goal, progress, earned_at: progress < goal ? null : before(DAY_MS) };
};
const earned = (...ids: BadgeId[]) => ids.map((id) => badge(id, BADGES[id].goal));
const NEXT = [badge('kilometre_100', 87_350), badge('who_week', 430), badge('regular_250', 3)];

export const BADGE_PARTS: Examples = {
  BadgesCard: [
    {
      state: 'none earned',
      render: () => <BadgesCard badges={{ earned: 0, total: TOTAL, latest: [], next: NEXT }} is_current_week />,
    },
    {
      state: 'one earned, the week is over',
      render: () => (
        <BadgesCard
          badges={{ earned: 1, total: TOTAL, latest: earned('first_activity'), next: NEXT }}
          is_current_week={false}
        />
      ),
    },
    {
      state: 'all earned',
      render: () => (
        <BadgesCard
          badges={{
            earned: TOTAL,
            total: TOTAL,
            latest: earned('official_200', 'fair_play', 'long_haul', 'kilometre_50', 'rhythm_26', 'comeback'),
            next: [],
          }}
          is_current_week
        />
      ),
    },
  ],
  Medal: [true, false].map((is_earned) => ({
    state: is_earned ? 'earned' : 'not earned',
    render: () => (
      <div className="flex flex-wrap gap-1">
        {BADGE_IDS.map((id) => (
          <Medal key={id} id={id} earned={is_earned} />
        ))}
        <Medal id="kilometre_100" earned={is_earned} size="lg" />
      </div>
    ),
  })),
  ProgressBar: [0, 430, 600].map((progress) => ({
    state: `${progress} of 600`,
    render: () => <ProgressBar progress={progress} goal={600} />,
  })),
};
