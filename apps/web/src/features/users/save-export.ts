import { type DownloadDeps, downloadExport } from './download-export.ts';

interface SaveDeps extends Omit<DownloadDeps, 'signal'> {
  session: { getState: () => { user: { id: string } | null }; subscribe: (listener: () => void) => () => void };
  /** Aborted when the screen is left. */
  left: AbortSignal;
  save: (file: Blob, name: string) => void;
}

/**
 * Downloads an export and saves it, for as long as the screen and its user stay: the file of somebody who left is never
 * put into the hands of who came next. Resolves to the name of the file, null when it was given up. Throws ApiError.
 */
export async function saveExport(path: string, { session, left, save, ...deps }: SaveDeps): Promise<string | null> {
  const user_id = session.getState().user?.id;
  const isSameUser = () => session.getState().user?.id === user_id;
  const gone = new AbortController();
  const stop = session.subscribe(() => isSameUser() || gone.abort());
  left.addEventListener('abort', () => gone.abort());
  const { signal } = gone;
  try {
    const { file, name } = await downloadExport(path, { ...deps, signal });
    if (signal.aborted || !isSameUser()) return null;
    save(file, name);
    return name;
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    stop();
  }
}
