import { ordinal } from '@sendlap/domain/ranks.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { type BoardFilter, writeBoardFilter } from './board-filter.ts';
import { type BoardNews, tellNews } from './board-news.ts';
import type { BoardPage } from './queries.ts';

interface BoardVoiceProps {
  filter: BoardFilter;
  /** null: loading. */
  page: BoardPage | null;
}

/** Announces the change of the board in one sentence to users of screen readers, who do not see the rows move. */
export function BoardVoice({ filter, page }: BoardVoiceProps) {
  const { t } = useTranslation('leaderboards');
  const language = useLanguage();
  const news = useBoardVoice(writeBoardFilter(filter), page);
  return (
    <p role="status" className="sr-only">
      {(news?.about === 'hidden' || news?.about === 'shown') && t(`news.${news.about}`)}
      {news?.about === 'my_rank' && t('news.myRank', { rank: placeOf(news.rank, language) })}
      {news?.about === 'my_points' && t('news.myPoints', { count: news.points })}
      {news?.about === 'other' &&
        t('news.other', { name: news.name ?? t('nameless'), rank: placeOf(news.rank, language) })}
    </p>
  );
}

/** '1st'; in Spanish the bare number, as in 'el puesto 1': an ordinal would have to agree with its noun. */
function placeOf(rank: number, language: 'en' | 'es'): string {
  return language === 'es' ? String(rank) : ordinal(rank, language);
}

/** A screen reader is slower than a board: changes within this time are announced in one sentence, not one by one. */
const SAY_EVERY_MS = 4_000;

/** The last announcement about the board while it is on the screen. Switching to another `board` announces nothing. */
function useBoardVoice(board: string, page: BoardPage | null): BoardNews | null {
  const told = useRef<{ board: string; page: BoardPage } | null>(null);
  const silent_until = useRef(Number.NEGATIVE_INFINITY);
  const [news, setNews] = useState<BoardNews | null>(null);
  const tell = useEffectEvent((shown: BoardPage) => {
    // A cached copy may be old: the fresh board that replaces it is not a change that just happened.
    const before = told.current?.board === board && told.current.page.cached_at === null ? told.current.page : null;
    told.current = { board, page: shown };
    const found = before && shown.cached_at === null ? tellNews(before, shown) : null;
    if (found) silent_until.current = performance.now() + SAY_EVERY_MS;
    if (found || !before) setNews(found);
  });
  useEffect(() => {
    if (!page) return;
    const wait_ms = told.current?.board === board ? silent_until.current - performance.now() : 0;
    const timer = setTimeout(() => tell(page), Math.max(0, wait_ms));
    return () => clearTimeout(timer);
  }, [board, page]);
  return news;
}
