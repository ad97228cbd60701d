/** What Chromium offers when the app can be installed; not in TypeScript's DOM. */
interface InstallEvent extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function keep(event: InstallEvent | null): void {
  offered = event;
  for (const listener of listeners) listener();
}

/** Catches the browser's offer, which comes once and early, for the card that comes later. */
export function catchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    keep(event as InstallEvent);
  });
  addEventListener('appinstalled', () => keep(null));
}

export function subscribeToInstallOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasInstallOffer(): boolean {
  return offered !== null;
}

/** Shows the browser's own question and resolves to its answer. The offer is used up by it. */
export async function acceptInstallOffer(): Promise<'accepted' | 'dismissed'> {
  const event = offered;
  keep(null);
  if (!event) return 'dismissed';
  await event.prompt();
  return (await event.userChoice).outcome;
}

/** Safari on a phone or tablet of Apple's, not yet on the home screen: it installs by its share menu only. */
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
