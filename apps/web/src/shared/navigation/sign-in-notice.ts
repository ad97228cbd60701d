const KEY = 'sign-in-notice';
const NOTICES = ['account_deleted', 'provider_session_open'] as const;
export type SignInNotice = (typeof NOTICES)[number];

/** Stores a notice for the sign-in page. Without storage, that page shows none. */
export function saveSignInNotice(notice: SignInNotice): void {
  try {
    sessionStorage.setItem(KEY, notice);
  } catch {}
}

/** Returns the notice for a user who just signed out or deleted the account; reading removes it. */
export function takeSignInNotice(): SignInNotice | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return NOTICES.find((notice) => notice === text) ?? null;
  } catch {
    return null;
  }
}

/** Reads the notice from the URL; ignores any other text, which could be an attacker's. */
export function parseSignInNotice(text: string | null): SignInNotice | null {
  return text === 'provider_session_open' ? text : null;
}
