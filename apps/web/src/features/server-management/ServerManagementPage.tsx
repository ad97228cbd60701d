import { matchRoute, useLocation, useRouter } from 'wouter';
import { PATHS } from '#web/shared/paths.ts';
import { AddPage } from './AddPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { CentersPage } from './CentersPage.tsx';
import { OverviewPage } from './OverviewPage.tsx';
import { PeoplePage } from './PeoplePage.tsx';
import { PersonPage } from './PersonPage.tsx';
import { ReportsPage } from './ReportsPage.tsx';
import { ReviewsPage } from './ReviewsPage.tsx';

/** The list beside a person, in the chunk of all screens of operators. */
export function PeopleList() {
  return <PeoplePage />;
}

/** The screens of operators, in one chunk: none of them works without the server. An unknown address shows the first. */
export function ServerManagementPage() {
  const [path] = useLocation();
  const { parser } = useRouter();
  const [is_person, params] = matchRoute(parser, PATHS.person, path);
  if (is_person) return <PersonPage key={params.public_id} public_id={params.public_id} />;
  const is = (pattern: string) => matchRoute(parser, pattern, path)[0];
  if (is(PATHS.newPerson)) return <AddPage />;
  if (is(PATHS.staffedCenters)) return <CentersPage />;
  if (is(PATHS.reports)) return <ReportsPage />;
  if (is(PATHS.reviews)) return <ReviewsPage />;
  if (is(PATHS.audit)) return <AuditPage />;
  return <OverviewPage />;
}
