import { useEffect, useState } from 'react';
import { createListeners } from '#web/shared/lib/store.ts';

const open_sheets = new Set<symbol>();
const closings = createListeners();

/** Notes that a sheet is open. Returns a function that notes that it has closed. */
export function noteOpenSheet(): () => void {
  const sheet = Symbol('sheet');
  open_sheets.add(sheet);
  return () => {
    open_sheets.delete(sheet);
    closings.notify();
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
    return closings.subscribe(update);
  }, [is_behind]);
  return is_behind;
}
