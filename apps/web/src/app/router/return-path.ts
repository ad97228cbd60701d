import { isAuthPath, PATHS } from '#web/shared/paths.ts';

const KEY = 'return-path';

/**
 * A scanned code of an activity or a kiosk: it is worth something for half a minute, and who saw it could use it. So it
 * stays in this page's memory, which is enough for a sign-in without leaving the page; after a visit to the provider it
 * would be out of date anyway. Codes of friends and invites live longer and go the whole way.
 */
const SHORT_LIVED_CODE = /#AQ[EI][A-Za-z0-9_-]*$/;

interface Kept {
  path: string;
  user_id: string | null;
}

/** The short-lived code of the path that is remembered. */
let code_in_memory = '';

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
 * Remembers where somebody without a session wanted to go, with query and fragment (a scanned code may lie in it).
 * `user_id` is whose page it was when a session ended there, null for a visitor.
 */
export function rememberReturnPath(path: string, user_id: string | null): void {
  code_in_memory = SHORT_LIVED_CODE.exec(path)?.[0] ?? '';
  try {
    const kept = { path: path.slice(0, path.length - code_in_memory.length), user_id };
    sessionStorage.setItem(KEY, JSON.stringify(kept satisfies Kept));
  } catch {
    // The visitor then lands on the dashboard.
  }
}

export function forgetReturnPath(): void {
  code_in_memory = '';
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
    return returnPathOf(kept.path + code_in_memory, location.origin) ?? PATHS.dashboard;
  } catch {
    return PATHS.dashboard;
  }
}
