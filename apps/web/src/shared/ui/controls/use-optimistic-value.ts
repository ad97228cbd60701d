import { useState } from 'react';

type Change<Value> = (value: Value, options: { onSettled: () => void }) => void;

/**
 * Optimistic update: returns the user's choice until the server has answered it, else null, and the function that
 * chooses. A switch that showed the running mutation instead would lag behind the tap, because it is reported later.
 */
export function useOptimisticValue<Value>(
  change: Change<Value>,
): [pending_value: Value | null, choose: (value: Value) => void] {
  const [pending_value, setPendingValue] = useState<Value | null>(null);
  const choose = (value: Value) => {
    setPendingValue(value);
    change(value, { onSettled: () => setPendingValue(null) });
  };
  return [pending_value, choose];
}
