import { type RefObject, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { FRIEND_CODE_PATH, PATHS, sportCenterPath } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { BoardRows } from './BoardRows.tsx';
import { type BoardFilter, formatBoardFilter } from './board-filter.ts';
import type { Board } from './use-board.ts';

interface BoardContentProps {
  filter: BoardFilter;
  board: Board;
}

/** The board's rows or its loading, empty or error state, and the rule behind the points. */
export function BoardContent({ filter, board }: BoardContentProps) {
  const { t } = useTranslation('leaderboards');
  const errorText = useErrorText();
  const { page, rows, loadMore } = board;
  const container = useRef<HTMLDivElement>(null);
  const focusNewRow = useFocusNewRow(container, rows.length);
  if (!page) {
    if (!board.error)
      return (
        <Loading className="flex flex-col gap-4">
          <div className="mx-auto flex w-full max-w-[520px] items-end justify-center gap-2">
            <Skeleton className="h-40 max-w-44 flex-1 rounded-lg" />
            <Skeleton className="h-52 max-w-44 flex-1 rounded-lg" />
            <Skeleton className="h-35 max-w-44 flex-1 rounded-lg" />
          </div>
          <div className="flex flex-col gap-1.5">
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
          </div>
        </Loading>
      );
    const offline = { title: t('offlineTitle'), text: t('offlineText') };
    return <ErrorState title={t('failed')} error={board.error} onRetry={board.retry} offline={offline} />;
  }
  const is_alone = filter.scope === 'friends' && rows.every((row) => row.is_me);
  return (
    <div ref={container} className="flex flex-col gap-4">
      {board.outdated_at !== null && <OfflineAge cached_at={board.outdated_at} />}
      {(rows.length > 0 || page.me) && (
        <BoardRows
          // Another filter is another board: its rows are not animated from this one's.
          key={formatBoardFilter(filter)}
          rows={rows}
          me={page.me}
          hidden={page.hidden}
          around={board.around}
          around_due={board.around_due}
          is_open={filter.key === null}
        />
      )}
      {board.more_error !== null && <Problem>{errorText(board.more_error)}</Problem>}
      {loadMore && (
        <Button
          kind="secondary"
          busy={board.is_loading_more}
          onClick={() => {
            focusNewRow();
            loadMore();
          }}
        >
          {t('more')}
        </Button>
      )}
      {((rows.length === 0 && !page.me) || is_alone) && <BoardEmpty filter={filter} />}
      <p className="px-1 text-sm text-ink-faint">
        {t(filter.period === 'week' ? 'rule' : 'sumRule')} {filter.scope === 'friends' && t('friendsRule')}{' '}
        {filter.period !== 'all' && rows.length > 0 && t(page.period.provisional ? 'provisional' : 'finalText')}
      </p>
    </div>
  );
}

/** No athlete is on this board, or none of the user's friends is; with what the user can do about it. */
function BoardEmpty({ filter }: { filter: BoardFilter }) {
  const { t } = useTranslation('leaderboards');
  const { scope, sport_center_id, key } = filter;
  if (scope !== 'friends' && key !== null)
    return <EmptyState icon="trophy" title={t('empty.past.title')} text={t('empty.past.text')} />;
  const friends = { text_key: 'empty.friends', href: FRIEND_CODE_PATH } as const;
  const everyone = { text_key: 'empty', href: PATHS.sportCenters } as const;
  const center = sport_center_id && ({ text_key: 'empty.center', href: sportCenterPath(sport_center_id) } as const);
  const { text_key, href } = scope === 'friends' ? friends : center || everyone;
  return (
    <EmptyState
      icon={scope === 'friends' ? 'user' : 'trophy'}
      title={t(`${text_key}.title`)}
      text={t(`${text_key}.text`)}
      action={
        <Link href={href} className={buttonClasses('primary', 'md')}>
          {t(`${text_key}.action`)}
        </Link>
      }
    />
  );
}

/** The user's own row may come after these before the loaded rows include it. */
const LOADED_ROWS = '[data-rest] > [data-row]:not([data-row="mine"])';

/**
 * Moves the focus to the first row that "show more" loaded: the new rows come before the button, which may be gone.
 * Returns the function to call on the press. `board` holds the rows in an element with `data-rest`; `count` includes
 * the podium.
 */
function useFocusNewRow(board: RefObject<HTMLElement | null>, count: number): () => void {
  const pending = useRef<{ count: number; focused: Element | null } | null>(null);
  useEffect(() => {
    const { current } = pending;
    if (!current || count <= current.count) return;
    pending.current = null;
    // The user moved the focus elsewhere while the rows loaded: leave it there.
    if (document.activeElement !== current.focused && document.activeElement !== document.body) return;
    const rows = board.current?.querySelectorAll<HTMLElement>(LOADED_ROWS) ?? [];
    [...rows].at(current.count - count)?.focus();
  }, [board, count]);
  return () => {
    pending.current = { count, focused: document.activeElement };
  };
}
