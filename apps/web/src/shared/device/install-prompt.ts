/** Chromium's event when the app can be installed; missing in TypeScript's DOM. */
interface InstallEvent extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function setOffer(event: InstallEvent | null): void {
  offered = event;
  for (const listener of listeners) listener();
}

/** Captures the browser's install offer, which comes once and early, for the card that is shown later. */
export function captureInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setOffer(event as InstallEvent);
  });
  addEventListener('appinstalled', () => setOffer(null));
}

export function subscribeToInstallOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasInstallOffer(): boolean {
  return offered !== null;
}

/** Shows the browser's own prompt and resolves to the user's answer. An offer can be used only once. */
export async function acceptInstallOffer(): Promise<'accepted' | 'dismissed'> {
  const event = offered;
  setOffer(null);
  if (!event) return 'dismissed';
  await event.prompt();
  return (await event.userChoice).outcome;
}

/**
 * Returns true for Safari on an Apple phone or tablet, unless the app is on the home screen: there only the share menu
 * can install it.
 */
export function isIosSafari(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return ios && /Safari/.test(userAgent) && !/CriOS|FxiOS|EdgiOS/.test(userAgent) && !isInstalled();
}

function isInstalled(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true
  );
}
