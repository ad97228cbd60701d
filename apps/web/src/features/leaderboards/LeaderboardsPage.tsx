import { addDays } from '@sendlap/domain/dates.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearch } from 'wouter';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { Button, buttonClasses } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { formatAge } from '#web/shared/ui/format-age.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { Board } from './Board.tsx';
import { BoardFilters, type CenterChoice } from './BoardFilters.tsx';
import { BoardSkeleton } from './BoardSkeleton.tsx';
import { readBoardFilter, writeBoardFilter } from './board-filter.ts';
import { LEADERBOARDS_PATH, SPORT_CENTERS_PATH } from './links.ts';
import { type BoardFilter, type BoardPage, getLeaderboardQuery } from './queries.ts';
import { useBoardNews } from './use-board-news.ts';

interface LeaderboardsPageProps {
  /** The centers to choose from; they come from another feature. */
  my_centers: CenterChoice[];
}

/** This week's board. The filter lives in the address, so that a board can be shared and kept. */
export function LeaderboardsPage({ my_centers }: LeaderboardsPageProps) {
  const { t } = useTranslation('leaderboards');
  const filter = readBoardFilter(useSearch());
  const [, navigate] = useLocation();
  useBoardNews();
  return (
    <Screen title={t('title')}>
      <div className="mx-auto flex w-full max-w-[640px] flex-1 flex-col gap-4">
        <BoardFilters
          filter={filter}
          my_centers={my_centers}
          onChange={(next) => navigate(LEADERBOARDS_PATH + writeBoardFilter(next), { replace: true })}
        />
        <BoardContent filter={filter} />
      </div>
    </Screen>
  );
}

function BoardContent({ filter }: { filter: BoardFilter }) {
  const { t } = useTranslation('leaderboards');
  const user = useUser();
  const online = useOnline();
  const board = useInfiniteQuery(getLeaderboardQuery(user.id, filter));
  const first = board.data?.pages[0];
  if (!first) {
    if (board.isPending) return <BoardSkeleton />;
    if (!online && isUnreachable(board.error)) {
      return <EmptyState icon="offline" title={t('offlineTitle')} text={t('offlineText')} />;
    }
    return <ErrorState title={t('failed')} error={board.error} onRetry={() => void board.refetch()} />;
  }
  const rows = board.data?.pages.flatMap((page) => page.items) ?? [];
  const outdated_at = first.cached_at ?? (board.isError && isUnreachable(board.error) ? board.dataUpdatedAt : null);
  return (
    <div className={`flex flex-col gap-4 transition-opacity ${board.isPlaceholderData ? 'opacity-60' : ''}`}>
      <PeriodLine page={first} outdated_at={outdated_at} />
      {rows.length === 0 ? <EmptyBoard /> : <Board rows={rows} me={first.me} />}
      {board.hasNextPage && (
        <Button kind="secondary" busy={board.isFetchingNextPage} onClick={() => void board.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      <p className="px-1 text-sm text-ink-faint">
        {t('rule')} {first.period.provisional ? t('provisional') : t('final')}
      </p>
    </div>
  );
}

function PeriodLine({ page, outdated_at }: { page: BoardPage; outdated_at: number | null }) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const { starts_on } = page.period;
  // Dates without a time: noon UTC is the same day in every zone that matters here.
  const last_day = new Date(`${addDays(starts_on, 6)}T12:00:00Z`);
  const date = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' }).format(last_day);
  return (
    <div className="px-1 text-[0.9375rem] text-ink-soft">
      <p>
        <span className="font-semibold text-ink">{t('week')}</span>, {t('until', { date })}
      </p>
      {outdated_at !== null && (
        <p className="mt-1 flex items-center gap-1.5">
          <Icon name="offline" size={18} />
          {t('offlineAge', { age: formatAge(outdated_at, Date.now(), language) })}
        </p>
      )}
    </div>
  );
}

function EmptyBoard() {
  const { t } = useTranslation('leaderboards');
  return (
    <EmptyState
      icon="trophy"
      title={t('emptyTitle')}
      text={t('emptyText')}
      action={
        <Link href={SPORT_CENTERS_PATH} className={buttonClasses('primary', 'md')}>
          {t('emptyAction')}
        </Link>
      }
    />
  );
}
