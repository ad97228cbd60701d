import { useEffect, useState } from 'react';

/** The value once it has not changed for a moment. */
export function useRested<Value>(value: Value, rest_ms: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest_ms);
    return () => clearTimeout(timer);
  }, [value, rest_ms]);
  return rested;
}
