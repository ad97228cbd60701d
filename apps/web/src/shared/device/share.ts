/** Sends something on by the system's own sheet; where there is none, or it fails, `copy` does it. */
export async function shareOrCopy(data: ShareData, copy: () => Promise<void>): Promise<void> {
  if (!('share' in navigator)) return copy();
  try {
    await navigator.share(data);
  } catch (error) {
    // Closing the system's sheet is an answer, not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
  }
}
