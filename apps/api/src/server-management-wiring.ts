import { dataDir } from './database/storage.ts';
import type { Route } from './http/route.ts';
import { createReviewService, mountReviews } from './modules/activities/reviews/service.ts';
import { mountAudit } from './modules/audit/service.ts';
import { readBackupState } from './modules/backups/daily-backup.ts';
import { createRequestedClaimService } from './modules/claims/requested-claims.ts';
import { mountPeople } from './modules/people/routes.ts';
import { createPeopleService } from './modules/people/service.ts';
import { createReportHandling } from './modules/reports/handling.ts';
import { mountReportHandling } from './modules/reports/routes.ts';
import { createOverviewService } from './modules/server-profile/overview.ts';
import { mountOverview } from './modules/server-profile/routes.ts';
import { createAccountLocks } from './modules/users/account-locks.ts';
import type { ChangeContext, UserService } from './modules/users/service.ts';
import type { Env } from './platform/env.ts';
import type { Sessions } from './sessions/sessions.ts';

interface ServerManagementOptions extends ChangeContext {
  env: Env;
  users: UserService;
  sessions: Sessions;
}

/** The part of the wiring that is for operators: `/v1/manage`. */
export function mountServerManagement(route: Route, options: ServerManagementOptions): void {
  const { database, env, users, now } = options;
  const locks = createAccountLocks(options);
  const has_accounts = env.OIDC_ISSUER === undefined;
  const reviews = createReviewService({ database, now });
  const claims = createRequestedClaimService(database);
  const backups = { readState: () => readBackupState(database, env.BACKUP_KEEP) };
  mountOverview(route, createOverviewService({ database, env, data_dir: dataDir(env), reviews, claims, backups, now }));
  mountPeople(route, createPeopleService({ database, users, locks, public_url: env.PUBLIC_URL, has_accounts, now }));
  mountReportHandling(route, createReportHandling({ database, locks, now }));
  mountReviews(route, reviews);
  mountAudit(route, database);
}
