import { late } from '#web/shared/ui/late.tsx';

/** Comes after the screen: what it tells has waited before. */
export const LateScanNews = late(() => import('#web/features/qr/ScanNews.tsx').then((m) => m.ScanNews), ['qr']);
