import { useState } from 'react';

type Change<Value> = (value: Value, options: { onSettled: () => void }) => void;

/**
 * What somebody has chosen and the server has not answered yet, null for nothing; and what chooses. A switch that showed
 * the running change instead would stay where it was for a moment, as if the tap had missed it: that is told later.
 */
export function useWish<Value>(change: Change<Value>): [wish: Value | null, choose: (value: Value) => void] {
  const [wish, setWish] = useState<Value | null>(null);
  const choose = (value: Value) => {
    setWish(value);
    change(value, { onSettled: () => setWish(null) });
  };
  return [wish, choose];
}
