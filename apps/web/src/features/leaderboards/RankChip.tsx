import { ordinal } from '@sendlap/domain/ranks.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { LEADERBOARDS_PATH } from './links.ts';
import { getMyRankQuery } from './queries.ts';
import { useBoardNews } from './use-board-news.ts';

/** My rank of this week, for the home screen; leads to the board. */
export function RankChip() {
  const { t } = useTranslation('leaderboards');
  const user = useUser();
  const { data } = useQuery(getMyRankQuery(user.id));
  useBoardNews();
  return (
    <Link
      href={LEADERBOARDS_PATH}
      aria-label={data?.me ? undefined : t('chipOpen')}
      className="pressable flex min-h-19 flex-col justify-center rounded-lg bg-page px-3.5 py-2.5"
    >
      {data && (
        <>
          <span className="figures flex items-center gap-1.5 font-bold">
            <Icon name="trophy" size={20} className={`shrink-0 ${data.me ? 'text-gold-ink' : 'text-ink-faint'}`} />
            {data.me ? t('chip', { rank: ordinal(data.me.rank, currentLanguage()) }) : t('chipNone')}
          </span>
          <span className="figures mt-1 text-[13px] leading-tight text-ink-soft">
            {data.me ? t('chipOf', { total: data.total }) : t('chipOpen')}
          </span>
        </>
      )}
    </Link>
  );
}
