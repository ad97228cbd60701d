import type { FriendRequest } from '@sendlap/contract/friends.ts';
import { useState } from 'react';

interface IncomingRequests {
  shown: FriendRequest[];
  late_count: number;
  showLate: () => void;
}

/**
 * Holds back incoming requests that arrive after `is_settled` has become true: at the top of the screen they would move
 * everything else under a finger.
 */
export function useLateRequests(requests: readonly FriendRequest[], is_settled: boolean): IncomingRequests {
  const incoming = requests.filter(({ direction }) => direction === 'incoming');
  const [shown_ids, setShownIds] = useState<ReadonlySet<string> | null>(null);
  const showAll = () => setShownIds(new Set(incoming.map(({ id }) => id)));
  if (is_settled && shown_ids === null) showAll();
  const shown = incoming.filter(({ id }) => shown_ids === null || shown_ids.has(id));
  return { shown, late_count: incoming.length - shown.length, showLate: showAll };
}
