import { ordinal } from '@sendlap/domain/ranks.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { LEADERBOARDS_PATH } from './links.ts';
import { getMyRankQuery } from './queries.ts';
import { useBoardNews } from './use-board-news.ts';

/** My rank of this week, for the home screen; leads to the board. */
export function RankChip() {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const user = useUser();
  const { data } = useQuery(getMyRankQuery(user.id));
  useBoardNews();
  const me = data?.me ?? null;
  return (
    <Link
      href={LEADERBOARDS_PATH}
      className="pressable flex min-h-19 min-w-0 flex-col justify-center rounded-lg bg-page px-3.5 py-2.5"
    >
      <span className="figures flex items-center gap-1.5 font-bold">
        <Icon name="trophy" size={20} className={`shrink-0 ${me ? 'text-gold-ink' : 'text-ink-faint'}`} />
        {me && t('chip', { rank: ordinal(me.rank, language) })}
        {!me && data && t('chipNone')}
      </span>
      <span className="figures mt-1 text-[0.8125rem] leading-tight text-ink-soft">
        {me && data ? t('chipOf', { total: data.total }) : t('chipOpen')}
      </span>
    </Link>
  );
}
