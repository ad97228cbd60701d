import { matchRoute, useLocation, useRouter } from 'wouter';
import { AddPage } from './AddPage.tsx';
import { AuditPage } from './AuditPage.tsx';
import { CentersPage } from './CentersPage.tsx';
import { SERVER_MANAGEMENT_PATHS } from './links.ts';
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
  const [is_person, params] = matchRoute(parser, SERVER_MANAGEMENT_PATHS.person, path);
  if (is_person) return <PersonPage key={params.public_id} public_id={params.public_id} />;
  const is = (pattern: string) => matchRoute(parser, pattern, path)[0];
  if (is(SERVER_MANAGEMENT_PATHS.add)) return <AddPage />;
  if (is(SERVER_MANAGEMENT_PATHS.centers)) return <CentersPage />;
  if (is(SERVER_MANAGEMENT_PATHS.reports)) return <ReportsPage />;
  if (is(SERVER_MANAGEMENT_PATHS.reviews)) return <ReviewsPage />;
  if (is(SERVER_MANAGEMENT_PATHS.audit)) return <AuditPage />;
  return <OverviewPage />;
}
