import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { loadMetadata, saveMetadata } from './metadata.ts';

/** An answer of the server as this device keeps it; `cached_at`: when it was read, ms epoch. */
export interface Copy<Value> {
  value: Value;
  cached_at: number;
}

/** Copies of answers of one kind. Each belongs to a user, and is deleted when that user signs out. */
export function createCopies<Shape extends z.ZodMiniType>(name: string, shape: Shape) {
  type Value = z.infer<Shape>;
  const Stored = z.object({ value: shape, cached_at: z.number() });
  const keyOf = (part: string) => (part === '' ? name : `${name} ${part}`);
  /** Null: none, or one of another version of the app. */
  async function load(user_id: string, part = ''): Promise<Copy<Value> | null> {
    const stored = Stored.safeParse(await loadMetadata(keyOf(part), user_id));
    return stored.success ? (stored.data as Copy<Value>) : null;
  }
  return {
    load,
    /** `part`: which of several answers, e.g. of a board. */
    save(user_id: string, value: Value, part = ''): void {
      void saveMetadata(keyOf(part), { value, cached_at: Date.now() }, user_id);
    },
    /** Read once a screen, and never again because of an invalidation: only the server's answer is newer. */
    query: (user_id: string, part = '') =>
      queryOptions({
        queryKey: ['copy', user_id, keyOf(part)],
        queryFn: () => load(user_id, part),
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 0,
      }),
  };
}
