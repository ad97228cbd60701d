import { useState } from 'react';

type Change<Value> = (value: Value, options: { onSettled: () => void }) => void;

/**
 * Optimistic update: returns the user's choice until the server has answered it, else null, and the function that
 * chooses. A switch that showed the running mutation instead would lag behind the tap, because it is reported later.
 */
export function useWish<Value>(change: Change<Value>): [wish: Value | null, choose: (value: Value) => void] {
  const [wish, setWish] = useState<Value | null>(null);
  const choose = (value: Value) => {
    setWish(value);
    change(value, { onSettled: () => setWish(null) });
  };
  return [wish, choose];
}
