import { PATHS } from '#web/shared/paths.ts';
import '#web/shared/ui/icons/icon-paths.ts';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useWakeLock } from '#web/shared/device/use-wake-lock.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CodeScreen } from './CodeScreen.tsx';
import { KioskStart } from './KioskStart.tsx';
import { kiosk, useKiosk } from './kiosk-client.ts';
import { PairingScreen } from './PairingScreen.tsx';
import { readPairingCode } from './pairing-code.ts';
import { SetUpScreen } from './SetUpScreen.tsx';
import { type KioskServiceWorker, startAutoReload, useKioskRefresh } from './use-kiosk-upkeep.ts';

const MANIFEST = '/kiosk.webmanifest';

/** The shared tablet at a center, which belongs to no user: code, board and clock once it is paired. */
export function KioskPage({ worker }: { worker: KioskServiceWorker }) {
  const { t } = useTranslation('kiosk');
  const [path] = useLocation();
  const state = useKiosk();
  const is_paired = state.kind === 'paired';
  useEffect(startKiosk, []);
  useEffect(() => {
    // Asks the browser not to evict the keys when storage runs low. A browser that refuses may still keep them.
    if (is_paired) navigator.storage?.persist?.().catch(() => {});
  }, [is_paired]);
  useWakeLock(is_paired);
  useKioskRefresh(is_paired);
  useEffect(() => startAutoReload(worker), [worker]);
  return (
    <>
      <title>{`${t('name')} · Sendlap`}</title>
      {state.kind === 'starting' ? (
        <KioskStart />
      ) : path === PATHS.kioskSetUp ? (
        <SetUpScreen state={state} />
      ) : state.kind === 'paired' ? (
        <CodeScreen state={state} />
      ) : (
        <PairingScreen state={state} />
      )}
    </>
  );
}

function startKiosk(): () => void {
  // An icon added to the home screen opens the kiosk, not the app.
  document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.setAttribute('href', MANIFEST);
  void kiosk.start(consumePairingCode());
  // The operator scanned another pairing code while this page was open.
  const onHash = () => {
    const code = consumePairingCode();
    if (code !== null) void kiosk.start(code);
  };
  addEventListener('hashchange', onHash);
  return () => removeEventListener('hashchange', onHash);
}

/** Takes the pairing code out of the address: it must not stay in the history or in a home screen icon. */
function consumePairingCode(): string | null {
  const code = location.hash === '' ? null : readPairingCode(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  return code;
}
