import { isAuthPath, PATHS } from './paths.ts';

const KEY = 'return-path';

interface Kept {
  path: string;
  user_id: string | null;
}

/**
 * The path inside this app that a text means, or null: another origin ('//evil', '/\evil', 'https:…'), a sign-in
 * page and the root are no place to return to.
 */
export function returnPathOf(text: string | null, origin: string): string | null {
  if (!text?.startsWith('/') || !URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== '') return null;
  const path = decodePath(url.pathname);
  // A path that begins with two slashes inside our origin would be another origin once it is used as an address.
  if (path === null || /^\/[/\\]/.test(path) || isAuthPath(path) || path === PATHS.root) return null;
  return url.pathname + url.search + url.hash;
}

/** The path as somebody might read it who decodes it once more, without what browsers drop; null if it can't be read. */
function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).replace(/[\t\n\r]/g, '');
  } catch {
    return null;
  }
}

/**
 * Remembers where somebody without a session wanted to go, with query and fragment (a scanned code lies in it).
 * `user_id` is whose page it was when a session ended there, null for a visitor.
 */
export function rememberReturnPath(path: string, user_id: string | null): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path, user_id } satisfies Kept));
  } catch {
    // The visitor then lands on the dashboard.
  }
}

export function forgetReturnPath(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept there then.
  }
}

/** Where this user goes after sign-in: the remembered path unless it was somebody else's, else the dashboard. */
export function readReturnPath(user_id: string): string {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null;
    if (kept === null || (kept.user_id !== null && kept.user_id !== user_id)) return PATHS.dashboard;
    return returnPathOf(kept.path, location.origin) ?? PATHS.dashboard;
  } catch {
    return PATHS.dashboard;
  }
}
