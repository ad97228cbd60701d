import { createStore } from '#web/shared/lib/store.ts';

/** Chromium's event when the app can be installed; missing in TypeScript's DOM. */
interface InstallEvent extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const offer = createStore<InstallEvent | null>(null);

/** Captures the browser's install offer, which comes once and early, for the card that is shown later. */
export function captureInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer.setState(event as InstallEvent);
  });
  addEventListener('appinstalled', () => offer.setState(null));
}

export const subscribeToInstallOffer = offer.subscribe;

export function hasInstallOffer(): boolean {
  return offer.getState() !== null;
}

/** Shows the browser's own prompt and resolves to the user's answer. An offer can be used only once. */
export async function acceptInstallOffer(): Promise<'accepted' | 'dismissed'> {
  const event = offer.getState();
  offer.setState(null);
  if (!event) return 'dismissed';
  await event.prompt();
  return (await event.userChoice).outcome;
}

/** Other browsers, and the ones in apps such as Google's, omit the version or name themselves in between. */
const SAFARI = /Version\/[\d.]+ (Mobile\/\w+ )?Safari\//;

/**
 * Returns true for Safari on an Apple phone or tablet, unless the app is on the home screen: there only the share menu
 * can install it.
 */
export function isIosSafari(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return ios && SAFARI.test(userAgent) && !isInstalled();
}

function isInstalled(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true
  );
}
