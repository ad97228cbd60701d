import { useEffect, useState } from 'react';

/** A slow list does not keep the map away for longer. */
const LONGEST_WAIT_MS = 1500;

/** Whether the map may begin to load: it is far heavier than the list, which comes first. */
export function useMapDue(has_list: boolean): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (isDue) return;
    // After the list has been painted.
    const timer = setTimeout(() => setDue(true), has_list ? 0 : LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isDue, has_list]);
  return isDue;
}
