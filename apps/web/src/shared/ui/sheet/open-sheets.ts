import { useEffect, useState } from 'react';

const open_sheets = new Set<symbol>();
const listeners = new Set<() => void>();

/** Notes that a sheet is open. Returns a function that notes that it has closed. */
export function noteOpenSheet(): () => void {
  const sheet = Symbol('sheet');
  open_sheets.add(sheet);
  return () => {
    open_sheets.delete(sheet);
    for (const listener of listeners) listener();
  };
}

/**
 * Returns true for a component that was mounted while a sheet was open, until the last sheet closes. Such a component
 * must hide itself from screen readers: a sheet hides only the elements that exist when it opens.
 */
export function useMountedBehindSheet(): boolean {
  const [is_behind, setBehind] = useState(() => open_sheets.size > 0);
  useEffect(() => {
    if (!is_behind) return;
    const update = () => open_sheets.size === 0 && setBehind(false);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, [is_behind]);
  return is_behind;
}
