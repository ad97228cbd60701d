import { useEffect, useState } from 'react';

/** The value once it has not changed for a moment; null: the one before, for as long as it is null. */
export function useRested<Value>(value: Value, rest_ms: number | null): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (rest_ms === null) return;
    const timer = setTimeout(() => setRested(value), rest_ms);
    return () => clearTimeout(timer);
  }, [value, rest_ms]);
  return rested;
}
