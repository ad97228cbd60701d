import type { LeaderboardRow, SurroundingLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BoardRow, STICKY } from './BoardRow.tsx';
import { gapToNext, type KeyedRow, keyRows } from './keyed-rows.ts';
import { Podium } from './Podium.tsx';
import { useRowMotion } from './use-row-motion.ts';

const PODIUM_ROWS = 3;

interface BoardRowsProps {
  rows: LeaderboardRow[];
  /** null while I have no points here. */
  me: LeaderboardRow | null;
  /** I am on no public board. */
  hidden: boolean;
  /** The rows around mine where `rows` don't reach me. */
  around: SurroundingLeaderboard | null;
  /** Points of today would still count. */
  is_open: boolean;
}

/** The first three on a podium, those around me, everybody else below, and my own row always in sight. */
export function BoardRows({ rows, me, hidden, around, is_open }: BoardRowsProps) {
  const { t } = useTranslation('leaderboards');
  const board = useRef<HTMLDivElement>(null);
  useRowMotion(board);
  const keyed = keyRows(rows);
  const rest = keyed.slice(PODIUM_ROWS);
  const near = around ? keyRows(around.items).map((row) => (row.is_me ? row : { ...row, key: `near ${row.key}` })) : [];
  const listed = [...rest, ...near].some((row) => row.is_me);
  const my_note = useMyNote({ rows, me, hidden, around });
  const draw = (row: KeyedRow) => <BoardRow key={row.key} row={row} note={row.is_me ? my_note : undefined} />;
  return (
    <div ref={board} className="relative flex flex-col gap-1.5">
      <Podium rows={keyed.slice(0, PODIUM_ROWS)} />
      {near.length > 0 && (
        <>
          <h3 className={HEADING}>{t('around')}</h3>
          <ol aria-label={t('around')} className="contents">
            {near.map(draw)}
          </ol>
          <h3 className={HEADING}>{t('list')}</h3>
        </>
      )}
      <ol aria-label={t('list')} className="contents">
        {rest.map(draw)}
        {me && !listed && draw({ ...me, key: 'mine' })}
        {!me && is_open && !hidden && (
          <li className={`${STICKY} rounded-lg px-4 py-3`}>
            <p className="font-semibold">{t('notRanked')}</p>
            <p className="text-[0.9375rem] text-ink-soft">{t('notRankedText')}</p>
          </li>
        )}
      </ol>
    </div>
  );
}

const HEADING = 'px-1 pt-3 pb-1 font-semibold';

function useMyNote({ rows, me, hidden, around }: Omit<BoardRowsProps, 'is_open'>): string | undefined {
  const { t } = useTranslation('leaderboards');
  if (!me) return undefined;
  if (hidden) return t('onlyYou');
  if (me.rank === 1) return t('lead');
  if (around?.gap_to_next) return t('toNext', { count: around.gap_to_next });
  const gap = gapToNext(rows, me);
  return gap ? t('gap', { count: gap.points, name: gap.name ?? t('nameless') }) : undefined;
}
