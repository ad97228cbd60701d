import { deviceStorage } from '../device/device-storage.ts';
import { isAuthPath, PATHS } from '../paths.ts';

const KEY = 'return-path';
/** Another tab returns to a shared path within this time. */
const SHARED_LIFETIME_MS = 3_600_000;

/**
 * A scanned code of an activity or a kiosk, which a person who saw it could use for half a minute. It is kept only in
 * memory, for a sign-in on this page; codes of friends and invites stay in the path. The third character holds two bits
 * of an id too: version 1 of an activity (E to H) or a kiosk (I to L), version 2 of an activity.
 */
const SHORT_LIVED_CODE = /#(?:AQ[E-L]|Ag[E-H])[A-Za-z0-9_-]*$/;

interface SavedReturnPath {
  path: string;
  user_id: string | null;
}

interface SharedReturnPath {
  path: string;
  expires_at: number;
}

/** The short-lived code of the saved path. */
let code_in_memory = '';

/**
 * Returns the path inside this app that a text refers to, or null: another origin ('//evil', '/\evil', 'https:…'), a
 * sign-in page and the root are never returned to.
 */
export function parseReturnPath(text: string | null, origin: string): string | null {
  if (!text?.startsWith('/') || !URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== '') return null;
  const path = decodePath(url.pathname);
  // A path that begins with two slashes inside our origin would mean another origin when used as an address.
  if (path === null || /^\/[/\\]/.test(path) || isAuthPath(path) || path === PATHS.root) return null;
  return url.pathname + url.search + url.hash;
}

/** The path decoded once more, without the characters that browsers drop; null if it can't be decoded. */
function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).replace(/[\t\n\r]/g, '');
  } catch {
    return null;
  }
}

/**
 * Saves where a visitor wanted to go, with query and fragment (which may hold a scanned code). `user_id`: the user
 * whose session ended on that page, null for a visitor.
 */
export function saveReturnPath(path: string, user_id: string | null): void {
  code_in_memory = SHORT_LIVED_CODE.exec(path)?.[0] ?? '';
  try {
    const saved = { path: path.slice(0, path.length - code_in_memory.length), user_id };
    sessionStorage.setItem(KEY, JSON.stringify(saved satisfies SavedReturnPath));
  } catch {
    // Without storage, the visitor lands on the dashboard.
  }
}

/**
 * Shares a visitor's saved path with all tabs of this browser for an hour: the mailed link of a sign-up opens in a tab
 * of its own, which ends the sign-in that begins here. The path of a user whose session ended is not shared.
 */
export function shareReturnPath(now_ms: number): void {
  const saved = readSaved();
  if (saved?.user_id !== null) {
    deviceStorage.removeItem(KEY);
    return;
  }
  const shared = { path: saved.path, expires_at: now_ms + SHARED_LIFETIME_MS };
  deviceStorage.setItem(KEY, JSON.stringify(shared satisfies SharedReturnPath));
}

export function clearReturnPath(): void {
  code_in_memory = '';
  deviceStorage.removeItem(KEY);
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is unavailable, so it holds no path.
  }
}

/**
 * Returns this user's path after sign-in: the one that this tab saved, unless it was another user's, or else the one
 * that another tab shared; without any the dashboard.
 */
export function readReturnPath(user_id: string, now_ms: number): string {
  const saved = readSaved();
  if (saved === null) return parseReturnPath(readShared(now_ms), location.origin) ?? PATHS.dashboard;
  if (saved.user_id !== null && saved.user_id !== user_id) return PATHS.dashboard;
  return parseReturnPath(saved.path + code_in_memory, location.origin) ?? PATHS.dashboard;
}

/** True if this tab saved a code that is still there after a visit to the provider: an invite's or a friend's. */
export function isCodeKept(): boolean {
  return readSaved()?.path.startsWith(`${PATHS.scan}#`) ?? false;
}

function readSaved(): SavedReturnPath | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SavedReturnPath | null;
    return typeof saved?.path === 'string' ? saved : null;
  } catch {
    return null;
  }
}

function readShared(now_ms: number): string | null {
  try {
    const shared = JSON.parse(deviceStorage.getItem(KEY) ?? 'null') as SharedReturnPath | null;
    return typeof shared?.path === 'string' && now_ms < shared.expires_at ? shared.path : null;
  } catch {
    return null;
  }
}
