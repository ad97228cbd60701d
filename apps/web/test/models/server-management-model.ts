import { getMyOperatorRight } from '@sendlap/contract/operators.ts';
import { type AuditEntry, listAudit } from '@sendlap/contract/server-management/audit.ts';
import {
  getServerOverview,
  listStaffedCenters,
  type ServerOverview,
  type StaffedCenter,
} from '@sendlap/contract/server-management/overview.ts';
import {
  createPasswordLink,
  createPerson,
  erasePerson,
  getPerson,
  grantOperator,
  inviteOperator,
  liftSuspension,
  listPeople,
  type Person,
  revokeOperator,
  suspendPerson,
} from '@sendlap/contract/server-management/people.ts';
import { handleReport, listReports, type Report } from '@sendlap/contract/server-management/reports.ts';
import {
  keepReview,
  listReviews,
  type Review,
  withdrawDecisions,
} from '@sendlap/contract/server-management/reviews.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

const CREATED_AT = '2026-11-01T10:00:00.000Z';
const LINK = { url: 'https://sendlap.example/reset?token=abc', expires_at: '2026-11-27T10:00:00.000Z' };

export function personOf(name: string, more: Partial<Person> = {}): Person {
  return {
    public_id: name.toLowerCase(),
    name,
    email: `${name.toLowerCase()}@example.org`,
    state: 'active',
    is_operator: false,
    is_referee: false,
    created_at: CREATED_AT,
    erase_after: null,
    has_password: true,
    referee_at: [],
    ...more,
  };
}

export const OVERVIEW: ServerOverview = {
  version: '1.2.3',
  database_bytes: 12_000_000,
  disk: { free_bytes: 20_000_000_000, total_bytes: 64_000_000_000 },
  backups: { made_at: '2026-11-26T06:00:00.000Z', bytes: 4_000_000, has_failed: false },
  has_mail: false,
  has_accounts: true,
  push_devices: 3,
  running_loads: 0,
  counts: {
    people: 12,
    new_people: 2,
    centers: 40,
    staffed_centers: 1,
    activities: 31,
    open_reports: 0,
    open_reviews: 0,
    open_claims: 0,
  },
};

const refTo = ({ public_id, name }: Person) => ({ public_id, name });

/** A server that Nora operates, with its people. */
export class ServerManagementModel {
  overview = OVERVIEW;
  people = [personOf('Nora', { is_operator: true }), personOf('Bea'), personOf('Rex', { is_referee: true })];
  centers: StaffedCenter[] = [];
  reports: Report[] = [];
  reviews: Review[] = [];
  audit: AuditEntry[] = [];

  constructor(server: FakeServer) {
    server.on(getMyOperatorRight, () => ({ is_operator: true }));
    server.on(getServerOverview, () => this.overview);
    server.on(listStaffedCenters, () => ({ items: this.centers, next_cursor: null }));
    this.#answerPeople(server);
    this.#answerReports(server);
    server.on(listAudit, () => ({ items: this.audit, next_cursor: null }));
  }

  person(public_id: string): Person {
    const person = this.people.find((each) => each.public_id === public_id);
    if (!person) throw new Refusal('user_not_found');
    return person;
  }

  report(reported: string, more: Partial<Report> = {}): Report {
    const person = this.person(reported);
    return {
      id: `aaaaaaaa-1111-4111-8111-${String(this.reports.length).padStart(12, '0')}`,
      created_at: '2026-11-26T08:00:00.000Z',
      reporter: refTo(this.person('rex')),
      reported: { ...refTo(person), state: person.state, is_operator: person.is_operator, reporters: 1 },
      reason: 'spam',
      text: 'Adverts',
      messages: [],
      handled: null,
      ...more,
    };
  }

  #change(public_id: string, change: Partial<Person>): Person {
    const changed = { ...this.person(public_id), ...change };
    this.people = this.people.map((each) => (each.public_id === public_id ? changed : each));
    return changed;
  }

  #answerPeople(server: FakeServer): void {
    server.on(listPeople, ({ query: { q = '', only } }) => ({
      items: this.people.filter(
        (each) =>
          each.name.toLowerCase().includes(q.toLowerCase()) &&
          (only !== 'operators' || each.is_operator) &&
          (only !== 'referees' || each.is_referee) &&
          (only !== 'suspended' || each.state === 'suspended'),
      ),
      next_cursor: null,
    }));
    server.on(getPerson, ({ params }) => this.person(params.public_id));
    server.on(createPerson, ({ body: { name, email } }) => {
      const person = personOf(name, { email });
      this.people.push(person);
      return { person, password_link: LINK };
    });
    server.on(createPasswordLink, () => LINK);
    server.on(inviteOperator, () => LINK);
    server.on(grantOperator, ({ params }) => this.#change(params.public_id, { is_operator: true }));
    server.on(revokeOperator, ({ params }) => {
      if (this.people.filter(({ is_operator }) => is_operator).length === 1) throw new Refusal('last_operator');
      return this.#change(params.public_id, { is_operator: false });
    });
    server.on(suspendPerson, ({ params }) => this.#change(params.public_id, { state: 'suspended' }));
    server.on(liftSuspension, ({ params }) => this.#change(params.public_id, { state: 'active' }));
    server.on(erasePerson, ({ params }) =>
      this.#change(params.public_id, { state: 'leaving', erase_after: '2026-12-03T10:00:00.000Z' }),
    );
  }

  #answerReports(server: FakeServer): void {
    server.on(listReports, ({ query: { status } }) => ({
      items: this.reports.filter(({ handled }) => (handled === null) === (status === 'open')),
      next_cursor: null,
    }));
    server.on(handleReport, ({ params, body }) => {
      const handled = { at: '2026-11-26T10:00:00.000Z', by: refTo(this.person('nora')), ...body };
      this.reports = this.reports.map((each) => (each.id === params.id ? { ...each, handled } : each));
      const report = this.reports.find(({ id }) => id === params.id);
      if (!report) throw new Refusal('not_found');
      return report;
    });
    server.on(listReviews, () => ({ items: this.reviews, next_cursor: null }));
    server.on(keepReview, () => {
      this.reviews = [];
      return {};
    });
    server.on(withdrawDecisions, ({ body }) => ({ withdrawn: body.decision_ids, refused: [] }));
  }
}
