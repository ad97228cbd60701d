import type { Database } from './database/database.ts';
import type { Secrets } from './database/secrets.ts';
import type { Route } from './http/route.ts';
import { mountCenterReviews } from './modules/activities/reviews/center-reviews.ts';
import { mountCenterStaff } from './modules/center-staff/routes.ts';
import { createCenterStaffService } from './modules/center-staff/service.ts';
import { createPosterService } from './modules/claims/poster.ts';
import { createRequestedClaimService } from './modules/claims/requested-claims.ts';
import { mountClaims } from './modules/claims/routes.ts';
import { createClaimService } from './modules/claims/service.ts';
import { createSiteClient } from './modules/claims/site-client.ts';
import type { ManagerService } from './modules/managers/service.ts';
import type { OperatorService } from './modules/operators/service.ts';
import { mountCenterAppeals } from './modules/referees/center-appeals.ts';
import type { RefereeService } from './modules/referees/service.ts';
import { createCenterDetailsService, mountCenterDetails } from './modules/sport-centers/details/details.ts';
import { createCenterHoursService, mountCenterHours } from './modules/sport-centers/hours/hours.ts';
import { createCenterWeeksService } from './modules/stats/center-weeks.ts';
import { mountCenterWeeks } from './modules/stats/routes.ts';
import { type Env, readMailSettings } from './platform/env.ts';

interface CenterManagementOptions {
  database: Database;
  secrets: Secrets;
  env: Env;
  managers: ManagerService;
  operators: OperatorService;
  referees: RefereeService;
  /** Resolve the web sites of centers. */
  name_servers?: string[] | undefined;
  now: () => Date;
}

/** The part of the wiring that is for the managers of a center, and for who becomes one. */
export function mountCenterManagement(route: Route, options: CenterManagementOptions): void {
  const { database, env, now } = options;
  const { PUBLIC_URL: public_url } = env;
  mountCenterStaff(route, createCenterStaffService({ ...options, public_url }));
  mountCenterDetails(route, createCenterDetailsService(database));
  mountCenterHours(route, createCenterHoursService(database));
  mountCenterAppeals(route, database, now);
  mountCenterReviews(route, database, now);
  mountCenterWeeks(route, createCenterWeeksService(database, now));
  const allow_local = env.PUSH_ALLOW_LOCAL !== undefined;
  const site_client = createSiteClient({ ...options, allow_local });
  mountClaims(route, {
    claims: createClaimService({ ...options, site_client, mail: readMailSettings(env), public_url, allow_local }),
    requested_claims: createRequestedClaimService(database),
    posters: createPosterService(database, public_url),
  });
}
