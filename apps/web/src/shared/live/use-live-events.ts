import { useEffect, useEffectEvent } from 'react';
import { live } from './client.ts';
import type { LiveNews } from './live.ts';

/** Subscribes to the server's news while the component is mounted. */
export function useLiveEvents(onNews: (news: LiveNews) => void): void {
  const handleNews = useEffectEvent(onNews);
  useEffect(() => live.subscribe((news) => handleNews(news)), []);
}
