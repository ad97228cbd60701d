import { applyUpdate, registerServiceWorker } from '#web/features/install/service-worker.ts';
import { KioskPage } from '#web/features/kiosk/KioskPage.tsx';

const WORKER = { register: registerServiceWorker, apply: applyUpdate };

export function KioskScreen() {
  return <KioskPage worker={WORKER} />;
}
