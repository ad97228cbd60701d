import * as areas from '@sendlap/contract/area-loads.ts';
import * as claims from '@sendlap/contract/center-management/claims.ts';
import * as streets from '@sendlap/contract/map/street-loads.ts';
import * as operators from '@sendlap/contract/operators.ts';
import { listAudit } from '@sendlap/contract/server-management/audit.ts';
import * as overview from '@sendlap/contract/server-management/overview.ts';
import * as people from '@sendlap/contract/server-management/people.ts';
import * as reports from '@sendlap/contract/server-management/reports.ts';
import * as reviews from '@sendlap/contract/server-management/reviews.ts';
import * as profile from '@sendlap/contract/server-profile.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { createAccount } from '../accounts.ts';
import { must, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, forAll, NOTHING, nobodys, ofAda } from './rows.ts';
import type { Call, Row } from './rules.ts';

const REASON = { reason: 'Asked for' };
const PEOPLE = /(^\w+ (name|public_id|account)$)/;
const TOWN = 'geonames:3128026';

const newPerson = async (world: MatrixWorld) => (await world.someone('Pat')).user.public_id;

const named = async (world: MatrixWorld, body?: object): Promise<Call> => ({
  params: { public_id: await newPerson(world) },
  ...(body && { body }),
});

async function withPassword({ api }: MatrixWorld): Promise<Call> {
  const account = { email: `${anyId()}@example.org`, name: 'Pat', password: 'correct horse battery' };
  const { user_id } = await createAccount(api, account);
  const row = api.database.selectFrom('users').select('public_id').where('id', '=', user_id);
  return { params: { public_id: (await row.executeTakeFirstOrThrow()).public_id } };
}

async function prepared(world: MatrixWorld, method: 'PUT' | 'POST', right: string, body?: object): Promise<Call> {
  const public_id = await newPerson(world);
  await must(world.api, world.of('operator'), method, `/v1/manage/people/${public_id}/${right}`, body);
  return { params: { public_id } };
}

const onPerson: [Endpoint, (world: MatrixWorld) => Promise<Call>, object?][] = [
  [people.grantOperator, (world) => named(world)],
  [people.revokeOperator, (world) => prepared(world, 'PUT', 'operator')],
  [people.suspendPerson, (world) => named(world, REASON), REASON],
  [people.liftSuspension, (world) => prepared(world, 'PUT', 'suspension', REASON)],
  [people.erasePerson, (world) => named(world, REASON), REASON],
  [people.createPasswordLink, withPassword],
];

const onPeople: Row[] = [
  forAll(people.listPeople, () => ({ query: { limit: '100' } }), { reveals: PEOPLE }),
  forAll(people.getPerson, ({ owner }) => ({ params: { public_id: owner.user.public_id } }), {
    reveals: /^owner (name|public_id|account|email)$/,
  }),
  nobodys(people.getPerson, 'user_not_found', () => ({ params: { public_id: 'no-such' } })),
  ...(
    [
      [people.suspendPerson, 'user_is_operator', 'operator', REASON],
      [people.erasePerson, 'user_is_operator', 'operator', REASON],
      [people.grantOperator, 'conflict', 'suspended', undefined],
      [people.createPasswordLink, 'password_login_unavailable', 'owner', undefined],
    ] as const
  ).map(([endpoint, answer, name, body]) =>
    nobodys(
      endpoint,
      answer,
      (world) => ({ params: { public_id: world.of(name).user.public_id }, ...(body && { body }) }),
      { on: `the ${name}` },
    ),
  ),
  forAll(people.createPerson, () => ({ body: { email: `${anyId()}@example.org`, name: 'Pat' } })),
  nobodys(
    people.createPerson,
    'email_taken',
    async ({ api }) => {
      const taken = { email: `${anyId()}@example.org`, name: 'Pat', password: 'correct horse battery' };
      await createAccount(api, taken);
      return { body: { email: taken.email, name: 'Other Pat' } };
    },
    { on: 'an address that is taken' },
  ),
  ...[people.suspendPerson, people.erasePerson].map((endpoint) =>
    forAll(endpoint, (world) => named(world, { reason: 'Sold points to others' }), { on: 'a person, another reason' }),
  ),
  forAll(people.inviteOperator),
  ...onPerson.flatMap(([endpoint, make, body]) => [
    forAll(endpoint, make),
    nobodys(endpoint, 'user_not_found', () => ({ params: { public_id: 'no-such' }, ...(body && { body }) })),
  ]),
];

/** Of `whom`, or of a new user. */
async function newReport(world: MatrixWorld, reported?: Someone): Promise<string> {
  const [who, whom] = [await world.someone('Cleo'), reported ?? (await world.someone('Dan'))];
  const report = { client_id: anyId(), user_id: whom.user.id, reason: 'spam' };
  return (await must(world.api, who, 'POST', '/v1/reports', report)).id;
}

async function newClaim(world: MatrixWorld): Promise<Call> {
  const who = await world.someone('Cleo');
  await must(world.api, who, 'POST', `/v1/sport-centers/${world.third}/claim/request`, { message: 'I run the desk' });
  const row = world.api.database.selectFrom('center_claims').select('id').where('user_id', '=', who.user.id);
  return { params: { claim_id: (await row.executeTakeFirstOrThrow()).id } };
}

const OF_CLAIMS = /^owner (account|name|public_id|claim)$/;
const CLOSED = { outcome: 'dismissed', ...REASON };
const UPHELD = { outcome: 'suspended', ...REASON };
const KEPT = { scanner: 'no-such', athlete: null, ...REASON };

const inbox: Row[] = [
  forAll(overview.getServerOverview),
  forAll(overview.listStaffedCenters),
  forAll(listAudit, () => ({ query: { limit: '100' } }), { reveals: PEOPLE }),
  forAll(reports.listReports, () => ({ query: { limit: '100' } }), {
    reveals: /^(\w+ (name|public_id|account)|owner report|participant text)$/,
  }),
  forAll(reports.handleReport, async (world) => ({ params: { id: await newReport(world) }, body: CLOSED })),
  forAll(reports.handleReport, async (world) => ({ params: { id: await newReport(world) }, body: UPHELD }), {
    on: 'a report, upheld',
  }),
  nobodys(
    reports.handleReport,
    'user_is_operator',
    async (world) => ({ params: { id: await newReport(world, world.of('operator')) }, body: UPHELD }),
    { on: 'a report of an operator, upheld' },
  ),
  nobodys(
    reports.handleReport,
    'conflict',
    async (world) => {
      const id = await newReport(world);
      await must(world.api, world.of('operator'), 'POST', `/v1/manage/reports/${id}/outcome`, CLOSED);
      return { params: { id }, body: UPHELD };
    },
    { on: 'a report that was dismissed, upheld' },
  ),
  nobodys(reports.handleReport, 'not_found', () => ({ params: { id: anyId() }, body: CLOSED })),
  forAll(reviews.listReviews, undefined, { reveals: PEOPLE }),
  ...reviews.ReviewKind.options.map((kind) =>
    nobodys(reviews.keepReview, 'not_found', () => ({ body: { kind, ...KEPT } }), { on: `${NOTHING}, ${kind}` }),
  ),
  ...(['confirm', 'reject'] as const).map((decision) =>
    forAll(
      reviews.withdrawDecisions,
      async (world) => {
        const { client_id } = await world.decided(decision);
        const row = world.api.database.selectFrom('decisions').select('id').where('activity_id', '=', client_id);
        return { body: { decision_ids: [(await row.executeTakeFirstOrThrow()).id], ...REASON } };
      },
      { on: `a decision about Ada, ${decision}` },
    ),
  ),
  nobodys(reviews.withdrawDecisions, 'nothing', () => ({ body: { decision_ids: [anyId()], reason: 'Not seen' } })),
  forAll(claims.listClaims, undefined, { reveals: OF_CLAIMS }),
  ...[claims.acceptClaim, claims.refuseClaim].flatMap((endpoint) => [
    forAll(endpoint, newClaim, { reveals: OF_CLAIMS }),
    nobodys(endpoint, 'claim_unknown', () => ({ params: { claim_id: anyId() } })),
  ]),
];

/** A load of Ada's that has ended: one under way would be carried out. */
async function areaLoad({ api, owner }: MatrixWorld): Promise<Call> {
  const load = { id: anyId(), name: 'Bilbao', status: 'done' as const, requested_by: owner.user.id };
  const box = { west: 1, south: 1, east: 2, north: 2, finished_at: new Date() };
  await api.database
    .insertInto('area_loads')
    .values({ ...load, ...box })
    .execute();
  return { params: { id: load.id } };
}

async function streetLoad({ api, owner }: MatrixWorld): Promise<Call> {
  const load = { id: anyId(), name: 'Bilbao', town_id: TOWN, status: 'done' as const, requested_by: owner.user.id };
  await api.database
    .insertInto('street_loads')
    .values({ ...load, finished_at: new Date() })
    .execute();
  return { params: { id: load.id } };
}

const server: Row[] = [
  forAll(profile.getServerProfile),
  forAll(profile.updateServerProfile, () => ({ body: { name: 'Bilbao climbs' } })),
  forAll(profile.updateServerProfile, () => ({ body: { area_loads: 'operators', town_id: null } }), {
    on: 'the server, its rights',
  }),
  nobodys(profile.updateServerProfile, 'town_unknown', () => ({ body: { town_id: 'geonames:1' } })),
  forAll(operators.getMyOperatorRight),
  forAll(areas.listAreaLoads),
  forAll(areas.getAreaLoad, areaLoad, { on: 'a load of Ada' }),
  nobodys(areas.getAreaLoad, 'area_load_not_found', () => ({ params: { id: anyId() } })),
  ofAda(
    areas.cancelAreaLoad,
    {
      on: 'a load of Ada that has ended',
      others: 'not_an_operator',
      may: [],
      except: { owner: 'nothing', operator: 'nothing' },
    },
    areaLoad,
  ),
  nobodys(areas.cancelAreaLoad, 'area_load_not_found', () => ({ params: { id: anyId() } })),
  nobodys(areas.requestAreaLoad, 'town_unknown', () => ({ body: { town_id: 'geonames:1' } })),
  nobodys(
    areas.requestAreaLoad,
    'area_too_large',
    () => ({ body: { latitude: 43.26, longitude: -2.93, radius_km: 20_000 } }),
    { on: 'an area that is too large' },
  ),
  forAll(streets.listStreetLoads),
  nobodys(streets.cancelStreetLoad, 'street_load_not_found', () => ({ params: { id: anyId() } })),
  nobodys(streets.cancelStreetLoad, 'nothing', streetLoad, { on: 'a load that has ended' }),
  nobodys(streets.requestStreetLoad, 'town_unknown', () => ({ body: { town_id: 'geonames:1' } })),
];

export const ROWS_OF_SERVER: Row[] = [...onPeople, ...inbox, ...server];
