import { isAuthPath, PATHS } from './paths.ts';

const KEY = 'return-path';

/**
 * The path inside this app that a text means, or null: another origin ('//evil', '/\evil', 'https:…'), a sign-in
 * page and the root are no place to return to.
 */
export function returnPathOf(text: string | null, origin: string): string | null {
  if (!text?.startsWith('/') || !URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username !== '' || isAuthPath(url.pathname) || url.pathname === PATHS.root)
    return null;
  // A path that begins with two slashes inside our origin would be another origin once it is used as an address.
  if (/^\/[/\\]/.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

/** Remembers where an anonymous visitor wanted to go, with query and fragment (a scanned code lies in it). */
export function rememberReturnPath(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
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

/** Where to go after sign-in: the remembered path, else the dashboard. */
export function readReturnPath(): string {
  try {
    return returnPathOf(sessionStorage.getItem(KEY), location.origin) ?? PATHS.dashboard;
  } catch {
    return PATHS.dashboard;
  }
}
