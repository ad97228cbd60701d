import { useEffect, useState } from 'react';

/** Debounces a value by `delay_ms`; while `delay_ms` is null, keeps the previous value. */
export function useDebouncedValue<Value>(value: Value, delay_ms: number | null): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (delay_ms === null) return;
    const timer = setTimeout(() => setDebounced(value), delay_ms);
    return () => clearTimeout(timer);
  }, [value, delay_ms]);
  return debounced;
}
