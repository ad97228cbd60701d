import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { markRead, readMarkerOf } from './mark-read.ts';

/** Says that these messages were really seen; see `markRead`. */
export function useMarkRead(chat_id: string): (ids: readonly string[]) => void {
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  useEffect(() => {
    const retry = () => readMarkerOf(queries).retry();
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [queries]);
  return (ids) => markRead(queries, { user_id, chat_id }, ids);
}
