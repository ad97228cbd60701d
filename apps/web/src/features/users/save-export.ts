import { type DownloadDeps, downloadExport } from './download-export.ts';

interface SaveDeps extends Omit<DownloadDeps, 'signal'> {
  session: { getState: () => { user: { id: string } | null }; subscribe: (listener: () => void) => () => void };
  /** Aborted when the user leaves the screen. */
  unmount_signal: AbortSignal;
  save: (file: Blob, name: string) => void;
}

/**
 * Downloads an export and saves it, unless the user leaves the screen or signs out: the next user must not get the
 * file. Returns the file's name, null if cancelled. Throws ApiError.
 */
export async function saveExport(
  path: string,
  { session, unmount_signal, save, ...deps }: SaveDeps,
): Promise<string | null> {
  const user_id = session.getState().user?.id;
  const isSameUser = () => session.getState().user?.id === user_id;
  const cancellation = new AbortController();
  const unsubscribe = session.subscribe(() => isSameUser() || cancellation.abort());
  unmount_signal.addEventListener('abort', () => cancellation.abort());
  const { signal } = cancellation;
  try {
    const { file, name } = await downloadExport(path, { ...deps, signal });
    if (signal.aborted || !isSameUser()) return null;
    save(file, name);
    return name;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    unsubscribe();
  }
}
