import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type BoardNews, tellNews } from './board-news.ts';
import type { BoardPage } from './queries.ts';

/** A voice is slower than a board. What happens meanwhile is told in one sentence, not one after the other. */
const SAY_EVERY_MS = 4_000;

/** The last thing to say about a board while it is on the screen. `board`: which; another one is news of nothing. */
export function useBoardVoice(board: string, page: BoardPage | null): BoardNews | null {
  const told = useRef<{ board: string; page: BoardPage } | null>(null);
  const silent_until = useRef(Number.NEGATIVE_INFINITY);
  const [news, setNews] = useState<BoardNews | null>(null);
  const tell = useEffectEvent((shown: BoardPage) => {
    // A copy says how it was, and the fresh board after it is no change that just happened.
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
