import type { FriendRequest } from '@sendlap/contract/friends.ts';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

/**
 * Where the list of requests comes from: it was not read since the screen was opened, it was read, or it could not be
 * read and an error is in its place.
 */
export type RequestsState = 'awaited' | 'read' | 'failed';

interface IncomingRequests {
  shown: FriendRequest[];
  new_count: number;
  showNew: () => void;
}

/**
 * Holds back incoming requests that arrive once the list has been read or the athlete has touched the screen: at its top
 * they would move everything else under a finger. In the background, and after an error, all are shown.
 */
export function useNewRequests(requests: readonly FriendRequest[], state: RequestsState): IncomingRequests {
  const incoming = requests.filter(({ direction }) => direction === 'incoming');
  const is_visible = useSyncExternalStore(subscribeToVisibility, isVisible);
  // Null: all are shown.
  const [shown_ids, setShownIds] = useState<ReadonlySet<string> | null>(null);
  const showAll = () => setShownIds(new Set(incoming.map(({ id }) => id)));
  const moves_nothing = !is_visible || state === 'failed';
  if (moves_nothing && shown_ids !== null) setShownIds(null);
  if (!moves_nothing && state === 'read' && shown_ids === null) showAll();
  const handleTouch = useEffectEvent(() => {
    if (!moves_nothing && shown_ids === null) showAll();
  });
  useEffect(() => {
    const leaving = new AbortController();
    for (const event of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(event, () => handleTouch(), { capture: true, passive: true, signal: leaving.signal });
    return () => leaving.abort();
  }, []);
  const shown = incoming.filter(({ id }) => shown_ids === null || shown_ids.has(id));
  return { shown, new_count: incoming.length - shown.length, showNew: showAll };
}

const isVisible = () => document.visibilityState === 'visible';

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
