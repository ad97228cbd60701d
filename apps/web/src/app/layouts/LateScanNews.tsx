import { Suspense } from 'react';
import { page } from '../page.ts';

const ScanNews = page(() => import('#web/features/qr/ScanNews.tsx').then((m) => m.ScanNews), ['qr']).component();

/** Comes after the screen: what it tells has waited before. */
export function LateScanNews() {
  return (
    <Suspense fallback={null}>
      <ScanNews />
    </Suspense>
  );
}
