import { useCallback, useEffect, useState } from 'react';

const SHOWN_MS = 2_500;

export type HintName = 'notOurs' | 'already';

/** A word about what was just seen; it goes by itself, and begins anew each time it is said. */
export function useHint(): [HintName | null, (name: HintName | null) => void] {
  const [shown, setShown] = useState<{ name: HintName } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const say = useCallback((name: HintName | null) => setShown(name && { name }), []);
  return [shown?.name ?? null, say];
}
