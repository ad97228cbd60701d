import { Suspense } from 'react';
import { page } from '../page.ts';

const BadgeNews = page(
  () => import('#web/features/badges/BadgeNews.tsx').then((m) => m.BadgeNews),
  ['badges'],
).component();

/** Comes after the screen: a celebration is nothing that anybody waits for. */
export function LateBadgeNews() {
  return (
    <Suspense fallback={null}>
      <BadgeNews />
    </Suspense>
  );
}
