import type { Leaderboard } from '@sendlap/contract/leaderboards.ts';
import { ordinal } from '@sendlap/domain/ranks.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { type BoardAnnouncement, findAnnouncement } from './board-announcement.ts';
import { type BoardFilter, formatBoardFilter } from './board-filter.ts';

interface BoardAnnouncerProps {
  filter: BoardFilter;
  /** null: the server has not answered yet. */
  page: Leaderboard | null;
}

/** Announces the change of the board in one sentence to users of screen readers, who do not see the rows move. */
export function BoardAnnouncer({ filter, page }: BoardAnnouncerProps) {
  const { t } = useTranslation(['leaderboards', 'shell']);
  const language = useLanguage();
  const announcement = useBoardAnnouncement(formatBoardFilter(filter), page);
  return (
    <p role="status" className="sr-only">
      {(announcement?.about === 'hidden' || announcement?.about === 'shown') && t(`news.${announcement.about}`)}
      {announcement?.about === 'my_rank' && t('news.myRank', { rank: formatRank(announcement.rank, language) })}
      {announcement?.about === 'my_points' && t('news.myPoints', { count: announcement.points })}
      {announcement?.about === 'other' &&
        t('news.other', {
          name: announcement.name ?? t('shell:nameless'),
          rank: formatRank(announcement.rank, language),
        })}
    </p>
  );
}

/** '1st'; in Spanish the bare number, as in 'el puesto 1': an ordinal would have to agree with its noun. */
function formatRank(rank: number, language: 'en' | 'es'): string {
  return language === 'es' ? String(rank) : ordinal(rank, language);
}

/** A screen reader is slower than a board: changes within this time are announced in one sentence, not one by one. */
const ANNOUNCE_EVERY_MS = 4_000;

/** The last announcement about the board while it is on the screen. Switching to another `board` announces nothing. */
function useBoardAnnouncement(board: string, page: Leaderboard | null): BoardAnnouncement | null {
  const announced = useRef<{ board: string; page: Leaderboard } | null>(null);
  const silent_until = useRef(Number.NEGATIVE_INFINITY);
  const [announcement, setAnnouncement] = useState<BoardAnnouncement | null>(null);
  const announce = useEffectEvent((shown: Leaderboard) => {
    const before = announced.current?.board === board ? announced.current.page : null;
    announced.current = { board, page: shown };
    const change = before && findAnnouncement(before, shown);
    if (change) silent_until.current = performance.now() + ANNOUNCE_EVERY_MS;
    if (change || !before) setAnnouncement(change);
  });
  useEffect(() => {
    if (!page) return;
    const wait_ms = announced.current?.board === board ? silent_until.current - performance.now() : 0;
    const timer = setTimeout(() => announce(page), Math.max(0, wait_ms));
    return () => clearTimeout(timer);
  }, [board, page]);
  return announcement;
}
