import { getServerOverview, listStaffedCenters } from '@sendlap/contract/server-management/overview.ts';
import { getServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import type { Route } from '#api/http/route.ts';
import type { OverviewService } from './overview.ts';
import type { ServerProfileService } from './service.ts';

export function mountServerProfile(route: Route, profile: ServerProfileService): void {
  route(getServerProfile, () => profile.getProfile());
  route(updateServerProfile, ({ body }, { user_id }) => profile.update(body, user_id));
}

export function mountOverview(route: Route, overview: OverviewService): void {
  route(getServerOverview, () => overview.getServerOverview());
  route(listStaffedCenters, async () => ({ items: await overview.listStaffedCenters(), next_cursor: null }));
}
