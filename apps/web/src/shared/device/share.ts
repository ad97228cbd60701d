/** Shares data with the system's share sheet; `copy` is the fallback if there is no sheet, or it fails. */
export async function shareOrCopy(data: ShareData, copy: () => Promise<void>): Promise<void> {
  if (!('share' in navigator)) return copy();
  try {
    await navigator.share(data);
  } catch (error) {
    // A closed share sheet is the user's choice, not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
  }
}

/** Opens the system's share sheet. Closing it is not a failure. */
export function openShareSheet(data: ShareData): void {
  navigator.share(data).catch(() => {});
}
