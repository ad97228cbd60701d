const KEY = 'install-dismissed-at';
/** A user who dismissed the offer is asked again after a month. */
export const ASK_AGAIN_AFTER_MS = 30 * 86_400_000;

export function wasDismissed(stored: string | null, now_ms: number): boolean {
  const at = Number(stored);
  return stored !== null && Number.isFinite(at) && now_ms - at < ASK_AGAIN_AFTER_MS;
}

export function readDismissal(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function saveDismissal(now_ms: number): void {
  try {
    localStorage.setItem(KEY, String(now_ms));
  } catch {
    // Without storage, the user is asked again next time.
  }
}
