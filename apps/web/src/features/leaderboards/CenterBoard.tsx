import type { Leaderboard } from '@sendlap/contract/leaderboards.ts';
import { ordinal } from '@sendlap/domain/ranks.ts';
import { Link } from 'wouter';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { classes } from '#web/shared/ui/classes.ts';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { DEFAULT_BOARD, formatBoardFilter } from './board-filter.ts';
import { type KeyedRow, keyRows } from './loaded-rows.ts';
import { Points } from './Points.tsx';
import { recencyOf, titleParts } from './periods.ts';
import { RowName } from './RowName.tsx';
import { useFirstPage } from './use-board.ts';
import { useBoardLiveUpdates } from './use-board-live-updates.ts';
import { useCurrentPeriodKey } from './use-current-period-key.ts';

const SHOWN_ROWS = 3;
/** Texts of an empty board, by `has_proof`. */
const EMPTY_TEXTS = { true: 'local.emptyFirst', false: 'local.emptyNoProof', null: 'local.empty' } as const;

interface CenterBoardProps {
  user_id: string;
  sport_center_id: string;
  /** Whether the center has a referee or a kiosk; without either nothing counts on its board. null: not known. */
  has_proof: boolean | null;
}

/**
 * This week's top three at a center, and the user. Renders nothing if the board can't be loaded: the page is about the
 * center.
 */
export function CenterBoard({ user_id, sport_center_id, has_proof }: CenterBoardProps) {
  const { t } = useTranslation('leaderboards');
  const filter = { ...DEFAULT_BOARD, sport_center_id };
  const { query, data: first, outdated_at } = useFirstPage(user_id, filter);
  const current_key = useCurrentPeriodKey(user_id, filter);
  useBoardLiveUpdates(filter);
  if (query.isError && !first) return null;
  // A cached copy may be from a past week.
  const key = first?.period.key ?? current_key ?? '';
  const recency = current_key === null ? null : recencyOf('week', key, current_key);
  const title = recency === 'this' ? t('local.title') : recency ? t('local.last') : t('local.past', titleParts(key));
  return (
    <Card as="section">
      <h2 className="flex items-center gap-2 font-semibold">
        <Icon name="trophy" size={22} className="text-gold-ink" />
        {title}
      </h2>
      {outdated_at !== null && <OfflineAge cached_at={outdated_at} />}
      <div className="mt-2 min-h-36">
        {first ? (
          <TopRows page={first} title={title} is_over={recency !== 'this'} has_proof={has_proof} />
        ) : (
          <Loading className="flex flex-col gap-2 py-1">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </Loading>
        )}
      </div>
      <Link
        href={`${PATHS.leaderboards}${formatBoardFilter(filter)}`}
        className="pressable -mx-2 mt-1 flex min-h-12 items-center justify-between rounded-md px-2 text-label font-semibold text-accent-ink"
      >
        {t('local.all')}
        <Icon name="chevron-right" size={20} />
      </Link>
    </Card>
  );
}

interface TopRowsProps {
  page: Leaderboard;
  title: string;
  /** The board's week has ended: no more points can be earned in it. */
  is_over: boolean;
  has_proof: boolean | null;
}

function TopRows({ page: { items, me }, title, is_over, has_proof }: TopRowsProps) {
  const { t } = useTranslation('leaderboards');
  const shown = keyRows(items.slice(0, SHOWN_ROWS));
  const is_my_row_shown = shown.some((row) => row.is_me);
  if (shown.length === 0) {
    return (
      <p className="flex min-h-36 items-center text-label text-ink-soft">
        {t(is_over ? 'empty.past.title' : EMPTY_TEXTS[`${has_proof}`])}
      </p>
    );
  }
  return (
    <ol aria-label={title} className="flex flex-col">
      {shown.map((row) => (
        <TopRow key={row.key} row={row} />
      ))}
      {me && !is_my_row_shown && <TopRow row={{ ...me, key: 'me 1' }} />}
    </ol>
  );
}

function TopRow({ row }: { row: KeyedRow }) {
  const language = useLanguage();
  return (
    <li
      aria-current={row.is_me || undefined}
      className={classes(
        'relative flex min-h-12 flex-wrap items-center gap-x-3 rounded-md px-1',
        row.is_me && 'bg-accent-tint',
      )}
    >
      <span className="figures min-w-9 shrink-0 text-center text-label font-bold text-ink-soft">
        {ordinal(row.rank, language)}
      </span>
      <Avatar
        name={row.user.name}
        className={classes('size-8 text-xs', row.is_me ? 'bg-accent text-on-accent' : 'bg-sunken')}
      />
      <div className="min-w-0 flex-[1_1_4rem]">
        <RowName row={row} className="text-left font-medium" />
      </div>
      <Points points={row.points} className="figures ml-auto font-bold" />
    </li>
  );
}
