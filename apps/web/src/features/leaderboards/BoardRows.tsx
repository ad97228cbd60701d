import type { LeaderboardRow, SurroundingLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { BoardRow, STICKY, StickyMyRow } from './BoardRow.tsx';
import { gapToNext, type KeyedRow, keyRows, sharesLead } from './loaded-rows.ts';
import { Podium } from './Podium.tsx';

const PODIUM_ROWS = 3;

interface BoardRowsProps {
  rows: LeaderboardRow[];
  /** null while the user has no points on this board. */
  me: LeaderboardRow | null;
  /** The user is hidden from public boards. */
  hidden: boolean;
  /** The rows around the user, if `rows` do not include the user's. */
  around: SurroundingLeaderboard | null;
  /** See `Board`. */
  around_due: number;
  /** The period is still running: points earned today count. */
  is_open: boolean;
}

/** The first three on a podium, the rows around the user, all others below, and the user's own row always in sight. */
export function BoardRows({ rows, me, hidden, around, around_due, is_open }: BoardRowsProps) {
  const { t } = useTranslation('leaderboards');
  const board = useRef<HTMLDivElement>(null);
  useRowMotion(board);
  const keyed = keyRows(rows);
  const rest = keyed.slice(PODIUM_ROWS);
  const surrounding = around
    ? keyRows(around.items).map((row) => (row.is_me ? row : { ...row, key: `near ${row.key}` }))
    : [];
  const podium = keyed.slice(0, PODIUM_ROWS);
  const mine = podium.find((row) => row.is_me);
  const is_listed = [...keyed, ...surrounding].some((row) => row.is_me);
  const my_note = useMyNote({ rows, me, hidden, around });
  const renderRow = (row: KeyedRow) => <BoardRow key={row.key} row={row} note={row.is_me ? my_note : undefined} />;
  return (
    <div ref={board} className="@container relative flex flex-col gap-1.5">
      <Podium rows={podium} note={my_note} />
      {around_due > 0 && <AroundSkeleton rows={around_due} />}
      {surrounding.length > 0 && (
        <>
          <h3 className={HEADING}>{t('around')}</h3>
          <ol aria-label={t('around')} className="contents">
            {surrounding.map(renderRow)}
          </ol>
          <h3 className={HEADING}>{t('list')}</h3>
        </>
      )}
      <ol aria-label={t('list')} data-rest="" className="contents">
        {rest.map(renderRow)}
        {me && !is_listed && renderRow({ ...me, key: 'mine' })}
        {!me && is_open && !hidden && (
          <li className={`${STICKY} rounded-lg px-4 py-3`}>
            <p className="font-semibold">{t('notRanked')}</p>
            <p className="text-label text-ink-soft">{t('notRankedText')}</p>
          </li>
        )}
      </ol>
      {mine && <StickyMyRow row={mine} note={my_note} />}
    </div>
  );
}

/** As high as the rows around the user, which come later. */
function AroundSkeleton({ rows }: { rows: number }) {
  const { t } = useTranslation('leaderboards');
  return (
    <>
      <p className={HEADING}>{t('around')}</p>
      <Loading className="flex flex-col gap-1.5">
        {[...Array(rows).keys()].map((row) => (
          <Skeleton key={row} className="h-16 rounded-lg" />
        ))}
      </Loading>
      <p className={HEADING}>{t('list')}</p>
    </>
  );
}

/** A placeholder from Unicode's private use area, which no text of the app contains. */
const NAME_MARKER = '\u{e000}';
const HEADING = 'px-1 pt-3 pb-1 font-semibold';

function useMyNote({ rows, me, hidden, around }: Omit<BoardRowsProps, 'is_open' | 'around_due'>): ReactNode {
  const { t } = useTranslation(['leaderboards', 'shell']);
  if (!me) return null;
  if (hidden) return t('onlyYou');
  if (me.rank === 1) return t(sharesLead(rows, me) ? 'leadShared' : 'lead');
  if (around?.gap_to_next) return t('toNext', { count: around.gap_to_next });
  const gap = gapToNext(rows, me);
  if (!gap) return null;
  const [before, after] = t('gap', { count: gap.points, name: NAME_MARKER }).split(NAME_MARKER);
  // `bdi`: a right-to-left name must not reorder the sentence.
  return (
    <>
      {before}
      <bdi>{gap.name ?? t('shell:nameless')}</bdi>
      {after}
    </>
  );
}

const MOVE_MS = 450;

interface RowPosition {
  left: number;
  top: number;
}

/**
 * Animates rows (elements with `data-row`) to their new positions when their order changes, also from the list to the
 * podium: the board is their offset parent. Off with prefers-reduced-motion.
 */
function useRowMotion(board: RefObject<HTMLElement | null>): void {
  const positions = useRef(new Map<string, RowPosition>());
  useLayoutEffect(() => {
    const rows = [...(board.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const before = positions.current;
    positions.current = readPositions(rows);
    const same_order = [...before.keys()].join('\n') === [...positions.current.keys()].join('\n');
    if (same_order || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const row of rows) {
      const [from, to] = [before.get(nameOf(row)), positions.current.get(nameOf(row))];
      // The user's own row may be stuck to the screen edge: no animation then.
      if (!from || row.offsetTop !== to?.top) continue;
      row.animate(
        [{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: 'none' }],
        {
          duration: MOVE_MS,
          easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
        },
      );
    }
  });
}

const nameOf = (row: HTMLElement) => row.dataset.row ?? '';

/**
 * Returns the rows' positions in the list, ignoring that the user's own may be stuck to the screen edge. Changes styles
 * before the first read and after the last: between reads, each change would cost a layout of the page.
 */
function readPositions(rows: readonly HTMLElement[]): Map<string, RowPosition> {
  const own = rows.filter((row) => row.ariaCurrent);
  for (const row of own) row.style.position = 'static';
  const positions = new Map(rows.map((row) => [nameOf(row), { left: row.offsetLeft, top: row.offsetTop }] as const));
  for (const row of own) row.style.position = '';
  return positions;
}
