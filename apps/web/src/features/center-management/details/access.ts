export type Access = 'public' | 'private' | 'unknown';

/** Whether everyone may come in, or only members; `unknown` if neither the source nor a manager has said. */
export function accessOf(is_private: boolean | null): Access {
  if (is_private === null) return 'unknown';
  return is_private ? 'private' : 'public';
}
