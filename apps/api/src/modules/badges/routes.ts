import { listBadges } from '@sendlap/contract/badges.ts';
import type { Route } from '#api/http/route.ts';
import type { BadgeService } from './service.ts';

export function mountBadges(route: Route, badges: BadgeService): void {
  route(listBadges, async (_request, { user_id }) => ({ items: await badges.listBadges(user_id) }));
}
