import { useRef } from 'react';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { OfflineAge } from '#web/shared/ui/OfflineAge.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { BoardEmpty } from './BoardEmpty.tsx';
import { BoardRows } from './BoardRows.tsx';
import { BoardSkeleton } from './BoardSkeleton.tsx';
import { type BoardFilter, writeBoardFilter } from './board-filter.ts';
import type { Board } from './use-board.ts';
import { useFocusNewRow } from './use-focus-new-row.ts';

interface BoardContentProps {
  filter: BoardFilter;
  board: Board;
}

/** The rows in whatever state they are, and the rule by which they came about. */
export function BoardContent({ filter, board }: BoardContentProps) {
  const { t } = useTranslation('leaderboards');
  const online = useOnline();
  const errorText = useErrorText();
  const { page, rows, readMore } = board;
  const place = useRef<HTMLDivElement>(null);
  const focusNewRow = useFocusNewRow(place, rows.length);
  if (!page) {
    if (!board.error) return <BoardSkeleton />;
    if (!online && isUnreachable(board.error)) {
      return <EmptyState icon="offline" title={t('offlineTitle')} text={t('offlineText')} />;
    }
    return <ErrorState title={t('failed')} error={board.error} onRetry={board.retry} />;
  }
  const is_alone = filter.scope === 'friends' && rows.every((row) => row.is_me);
  return (
    <div ref={place} className="flex flex-col gap-4">
      {board.outdated_at !== null && <OfflineAge cached_at={board.outdated_at} />}
      {(rows.length > 0 || page.me) && (
        <BoardRows
          // Another board is no change of this one: nothing glides or counts from the one to the other.
          key={writeBoardFilter(filter)}
          rows={rows}
          me={page.me}
          hidden={page.hidden}
          around={board.around}
          is_open={filter.key === null}
        />
      )}
      {board.more_error !== null && <Problem>{errorText(board.more_error)}</Problem>}
      {readMore && (
        <Button
          kind="secondary"
          busy={board.is_reading_more}
          onClick={() => {
            focusNewRow();
            readMore();
          }}
        >
          {t('more')}
        </Button>
      )}
      {((rows.length === 0 && !page.me) || is_alone) && <BoardEmpty filter={filter} />}
      <p className="px-1 text-sm text-ink-faint">
        {t(filter.period === 'week' ? 'rule' : 'sumRule')} {filter.scope === 'friends' && t('friendsRule')}{' '}
        {filter.period !== 'all' && t(page.period.provisional ? 'provisional' : 'finalText')}
      </p>
    </div>
  );
}
