import { useEffect, useEffectEvent } from 'react';
import { live } from './client.ts';
import type { LiveNews } from './live.ts';

/** Hears what the server has to say while the component is there. */
export function useLiveEvents(onNews: (news: LiveNews) => void): void {
  const hear = useEffectEvent(onNews);
  useEffect(() => live.subscribe((news) => hear(news)), []);
}
