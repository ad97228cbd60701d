import { ordinal } from '@sendlap/domain/ranks.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { OfflineAge } from '#web/shared/ui/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { Avatar } from './Avatar.tsx';
import { FIRST_BOARD, writeBoardFilter } from './board-filter.ts';
import { type KeyedRow, keyRows } from './keyed-rows.ts';
import { LEADERBOARDS_PATH } from './links.ts';
import { type BoardPage, getLeaderboardQuery } from './queries.ts';
import { useBoardNews } from './use-board-news.ts';

const SHOWN_ROWS = 3;

interface CenterBoardProps {
  user_id: string;
  sport_center_id: string;
}

/** This week's first three at a center, and me. Nothing where the board can't be read: the page is about the center. */
export function CenterBoard({ user_id, sport_center_id }: CenterBoardProps) {
  const { t } = useTranslation('leaderboards');
  const filter = { ...FIRST_BOARD, sport_center_id };
  const { data, isError } = useInfiniteQuery(getLeaderboardQuery(user_id, filter));
  useBoardNews(filter);
  const first = data?.pages[0];
  if (isError && !first) return null;
  return (
    <Card as="section">
      <h2 className="flex items-center gap-2 font-semibold">
        <Icon name="trophy" size={22} className="text-gold-ink" />
        {t('local.title')}
      </h2>
      {first?.cached_at != null && <OfflineAge cached_at={first.cached_at} />}
      <div className="mt-2 min-h-36">{first ? <Rows page={first} /> : <RowSkeletons />}</div>
      <Link
        href={`${LEADERBOARDS_PATH}${writeBoardFilter(filter)}`}
        className="pressable -mx-2 mt-1 flex min-h-12 items-center justify-between rounded-md px-2 text-[0.9375rem] font-semibold text-accent-ink"
      >
        {t('local.all')}
        <Icon name="chevron-right" size={20} />
      </Link>
    </Card>
  );
}

function Rows({ page: { items, me } }: { page: BoardPage }) {
  const { t } = useTranslation('leaderboards');
  const shown = keyRows(items.slice(0, SHOWN_ROWS));
  const isListed = shown.some((row) => row.is_me);
  if (shown.length === 0) return <p className="py-2 text-[0.9375rem] text-ink-soft">{t('local.empty')}</p>;
  return (
    <ol aria-label={t('local.title')} className="flex flex-col">
      {shown.map((row) => (
        <Row key={row.key} row={row} />
      ))}
      {me && !isListed && <Row row={{ ...me, key: 'me 1' }} />}
    </ol>
  );
}

function Row({ row }: { row: KeyedRow }) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const locale = useLocale();
  return (
    <li
      aria-current={row.is_me || undefined}
      className={classes('flex min-h-12 items-center gap-3 rounded-md px-1', row.is_me && 'bg-accent-tint')}
    >
      <span className="figures w-9 shrink-0 text-center text-[0.9375rem] font-bold text-ink-soft">
        {ordinal(row.rank, language)}
      </span>
      <Avatar
        name={row.user.name}
        className={classes('size-8 text-xs', row.is_me ? 'bg-accent text-on-accent' : 'bg-sunken')}
      />
      <span className="min-w-0 flex-1 truncate font-medium">
        {row.is_me ? t('me') : (row.user.name ?? t('nameless'))}
      </span>
      <span className="figures font-bold">{row.points.toLocaleString(locale)}</span>
    </li>
  );
}

function RowSkeletons() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-2 py-1">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
