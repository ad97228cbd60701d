import { useEffect, useState } from 'react';
import type { ListFirstQueries } from './first-data.ts';

/** The first screen of this page life was drawn. */
let was_read = false;

/** Returns whether the first screen can be drawn; `user_id` null: no user is known. */
export function useFirstData(user_id: string | null, listQueries: ListFirstQueries | undefined): boolean {
  const [is_ready, setReady] = useState(was_read);
  useEffect(() => {
    if (user_id === null || is_ready) return;
    const end = () => {
      was_read = true;
      setReady(true);
    };
    import('./first-data.ts').then((m) => m.readFirstData(user_id, listQueries)).then(end, end);
  }, [user_id, is_ready, listQueries]);
  return is_ready || user_id === null;
}
