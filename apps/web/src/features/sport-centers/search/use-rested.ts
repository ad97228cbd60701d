import { useEffect, useState } from 'react';

/** Debounces a value by `rest_ms`; while `rest_ms` is null, keeps the previous value. */
export function useRested<Value>(value: Value, rest_ms: number | null): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (rest_ms === null) return;
    const timer = setTimeout(() => setRested(value), rest_ms);
    return () => clearTimeout(timer);
  }, [value, rest_ms]);
  return rested;
}
