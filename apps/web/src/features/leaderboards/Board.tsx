import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BoardRow, STICKY } from './BoardRow.tsx';
import { gapToNext, type KeyedRow, keyRows } from './keyed-rows.ts';
import { Podium } from './Podium.tsx';
import { useRowMotion } from './use-row-motion.ts';

const PODIUM_ROWS = 3;

interface BoardProps {
  rows: LeaderboardRow[];
  /** null while I have no points here. */
  me: LeaderboardRow | null;
}

/** The first three on a podium, everybody else below, and my own row always in sight. */
export function Board({ rows, me }: BoardProps) {
  const { t } = useTranslation('leaderboards');
  const keyed = keyRows(rows);
  const rest = keyed.slice(PODIUM_ROWS);
  const list = useRef<HTMLOListElement>(null);
  useRowMotion(list);
  const listed = rest.some((row) => row.is_me);
  const my_note = useMyNote(rows, me);
  return (
    <>
      <Podium rows={keyed.slice(0, PODIUM_ROWS)} />
      <ol ref={list} aria-label={t('list')} className="relative flex flex-col gap-1.5">
        {rest.map((row) => (
          <BoardRow key={row.key} row={row} note={row.is_me ? my_note : undefined} />
        ))}
        {me && !listed && <BoardRow row={{ ...me, key: 'me 1' } satisfies KeyedRow} note={my_note} />}
        {!me && (
          <li className={`${STICKY} rounded-lg px-4 py-3`}>
            <p className="font-semibold">{t('notRanked')}</p>
            <p className="text-[0.9375rem] text-ink-soft">{t('notRankedText')}</p>
          </li>
        )}
      </ol>
    </>
  );
}

function useMyNote(rows: LeaderboardRow[], me: LeaderboardRow | null): string | undefined {
  const { t } = useTranslation('leaderboards');
  if (!me) return undefined;
  if (me.rank === 1) return t('lead');
  const gap = gapToNext(rows, me);
  return gap ? t('gap', { count: gap.points, name: gap.name }) : undefined;
}
