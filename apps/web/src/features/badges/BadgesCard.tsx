import type { Dashboard } from '@sendlap/contract/dashboard.ts';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { badgePath, PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Medal } from './Medal.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import type { BadgeCopy } from './queries.ts';
import { useBadgeText } from './use-badge-text.ts';
import { resetWeeklyProgress } from './weekly-progress.ts';

/** As many as fit side by side on a phone. */
const LATEST_COUNT = 5;

interface BadgesCardProps {
  badges: Dashboard['badges'];
  /** False: the badges were fetched in another week. */
  is_current_week: boolean;
}

/** For the home screen: the latest badges and the nearest ones, with a link to the shelf. */
export function BadgesCard({
  badges: { earned, total, latest, next: fetched_next },
  is_current_week,
}: BadgesCardProps) {
  const { t } = useTranslation('badges');
  const next = is_current_week ? fetched_next : resetWeeklyProgress(fetched_next);
  return (
    <Card as="section" aria-labelledby="badges-title" className="flex flex-col gap-3 rounded-xl p-5">
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-2">
        <h2 id="badges-title" className="text-xl font-bold">
          {t('title')}
        </h2>
        <Link
          href={PATHS.badges}
          className="pressable -mr-2 flex min-h-12 items-center gap-0.5 rounded-md px-2 font-semibold text-accent-ink"
        >
          <span className="figures">{t('count', { earned, total })}</span>
          <Icon name="chevron-right" size={20} />
        </Link>
      </div>
      <ul aria-label={t('latest')} className="-mx-1 flex flex-wrap empty:hidden">
        {latest.slice(0, LATEST_COUNT).map((badge) => (
          <LatestBadge key={badge.id} badge={badge} />
        ))}
      </ul>
      {next.length > 0 && (
        <>
          <h3 className="text-sm font-semibold text-ink-soft">{t('next')}</h3>
          <ul className="-my-1.5 flex flex-col">
            {next.map((badge) => (
              <NextBadge key={badge.id} badge={badge} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function LatestBadge({ badge: { id } }: { badge: BadgeCopy }) {
  const text = useBadgeText();
  return (
    <li>
      <Link href={badgePath(id)} aria-label={text.name(id)} className="pressable block rounded-lg">
        <Medal id={id} earned />
      </Link>
    </li>
  );
}

function NextBadge({ badge }: { badge: BadgeCopy }) {
  const text = useBadgeText();
  return (
    <li>
      <Link href={badgePath(badge.id)} className="pressable flex min-h-18 items-center gap-3 rounded-md py-1.5">
        <Medal id={badge.id} earned={false} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-2">
            <span className="font-semibold">{text.name(badge.id)}</span>
            <span className="figures text-sm text-ink-soft">{text.progress(badge)}</span>
          </span>
          <span className="mt-1.5 block">
            <ProgressBar progress={badge.progress} goal={badge.goal} />
          </span>
        </span>
      </Link>
    </li>
  );
}
