import type { WeekRank } from '@sendlap/contract/dashboard.ts';
import { ordinal, rankChange } from '@sendlap/domain/ranks.ts';
import { Link } from 'wouter';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

interface RankChipProps {
  /**
   * null: the user has no points on the board; undefined: loading; 'unreadable': the server cannot compute it right
   * now.
   */
  rank: WeekRank | null | 'unreadable' | undefined;
}

/** The user's rank of this week and its change, for the home screen; links to the board. */
export function RankChip({ rank: rank_or_error }: RankChipProps) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const rank = rank_or_error === 'unreadable' ? undefined : rank_or_error;
  return (
    <Link
      href={PATHS.leaderboards}
      className="pressable flex min-h-19 min-w-0 flex-col justify-center rounded-lg bg-page px-3.5 py-2.5"
    >
      <span className="figures flex flex-wrap items-center gap-x-1.5 font-bold">
        <Icon name="trophy" size={20} className={`shrink-0 ${rank ? 'text-gold-ink' : 'text-ink-faint'}`} />
        {rank && <span className="text-lg leading-none">{ordinal(rank.rank, language)}</span>}
        {rank === null && t('chipNone')}
        {rank && <RankChangeMark rank={rank} />}
        {rank_or_error === 'unreadable' && (
          <>
            <span aria-hidden="true">–</span>
            <span className="sr-only">{t('chipUnreadable')}</span>
          </>
        )}
      </span>
      <span className="figures mt-1 text-caption leading-tight text-ink-soft">
        {rank && (rank.hidden ? `${t('chipWeek')} · ${t('chipHidden')}` : t('chipOf', { total: rank.total }))}
        {!rank && t('chipOpen')}
      </span>
    </Link>
  );
}

/** A triangle and a number on screen, a sentence for screen readers. */
function RankChangeMark({ rank: { rank, previous_rank } }: { rank: WeekRank }) {
  const { t } = useTranslation('leaderboards');
  const change = rankChange(rank, previous_rank);
  if (!change) return null;
  const { direction, places: count } = change;
  const words = { up: t('chipUp', { count }), down: t('chipDown', { count }), same: t('chipSame') };
  const signs = { up: `▲${count}`, down: `▼${count}`, same: '=' };
  return (
    <>
      <span aria-hidden="true" className={`text-caption ${direction === 'up' ? 'text-gold-ink' : 'text-ink-faint'}`}>
        {signs[direction]}
      </span>
      <span className="sr-only">{words[direction]}</span>
    </>
  );
}
