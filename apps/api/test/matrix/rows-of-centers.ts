import * as appeals from '@sendlap/contract/center-management/center-appeals.ts';
import * as details from '@sendlap/contract/center-management/center-details.ts';
import * as hours from '@sendlap/contract/center-management/center-hours.ts';
import { listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import * as staff from '@sendlap/contract/center-management/center-staff.ts';
import * as weeks from '@sendlap/contract/center-management/center-weeks.ts';
import * as claims from '@sendlap/contract/center-management/claims.ts';
import * as managers from '@sendlap/contract/center-management/managers.ts';
import { getMapConfig, STREET_TILES_PATH, TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import * as centers from '@sendlap/contract/sport-centers.ts';
import { searchTowns } from '@sendlap/contract/towns.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { grant, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { AT_ELSEWHERE, AT_NO_CENTER, anyId, fileCall, forAll, NOTHING, nobodys } from './rows.ts';
import type { Call, Row } from './rules.ts';

const NO_CENTER = 'sport_center_not_found';
const HERE = { latitude: '43.26', longitude: '-2.93' };
const TILE = { z: '0', x: '0', file: '0.mvt' };
const OF_MEMBERS = /^owner (name|public_id)$/;

const at = ({ center }: MatrixWorld): Call => ({ params: { id: center } });
const nowhere = (): Call => ({ params: { id: anyId() } });

const publicRows: Row[] = [
  forAll(centers.listSportCenters),
  forAll(centers.searchSportCenters),
  forAll(centers.getSportCenterFilterOptions),
  forAll(centers.listRecommendedSportCenters, () => ({ query: HERE })),
  forAll(centers.findNearestSportCenters, () => ({ params: { sport: 'climbing' }, query: HERE })),
  forAll(centers.getSportCenter, at),
  nobodys(centers.findNearestSportCenters, 'validation_failed', () => ({ params: { sport: 'no-such' }, query: HERE })),
  nobodys(centers.getSportCenter, NO_CENTER, nowhere),
  forAll(centers.getCenterProofs, at),
  nobodys(centers.getCenterProofs, NO_CENTER, nowhere),
  forAll(searchTowns, () => ({ query: { q: 'Bilbao' } })),
  forAll(getMapConfig),
  forAll(fileCall(`${TILES_PATH}/:z/:x/:file`, 'anyone'), () => ({ params: TILE })),
  nobodys(fileCall(`${TILES_PATH}/:z/:x/:file`, 'anyone'), 'bad_request', () => ({ params: { ...TILE, z: '30' } })),
  {
    ...forAll(fileCall(`${STREET_TILES_PATH}/:z/:x/:file`, 'anyone'), () => ({ params: TILE })),
    on: `${NOTHING}, streets`,
    may: [],
    others: 'not_found',
  },
];

/** Failed attempts are in the audit trail. */
const AUDITED = { notes: ['audit_entries'] };
/** A repeat of a manager's proof succeeds. */
const PROOFS: Endpoint[] = [claims.redeemClaimCode, claims.checkClaimLine];

const claimRows: Row[] = [
  forAll(claims.getCenterClaim, at),
  nobodys(claims.getCenterClaim, NO_CENTER, nowhere),
  // The center has neither a web site nor the server a mail server.
  ...[
    [
      claims.sendClaimMail,
      'claim_way_unavailable',
      { email: 'a@example.org', language: 'en' },
      { email: 'b@example.org', language: 'es' },
    ] as const,
    [claims.redeemClaimCode, 'claim_unknown', { code: '12345678' }, { code: '0000-0000' }] as const,
    [claims.createClaimLine, 'claim_way_unavailable', undefined, undefined] as const,
    [claims.checkClaimLine, 'claim_way_unavailable', undefined, undefined] as const,
  ].flatMap(([endpoint, answer, body, other]) => [
    nobodys(endpoint, answer, (world) => ({ ...at(world), ...(body && { body }) }), {
      on: 'a center without a web site',
      ...AUDITED,
      ...(PROOFS.includes(endpoint) && { except: { manager: 'nothing' } }),
    }),
    nobodys(
      endpoint,
      endpoint === claims.redeemClaimCode ? answer : NO_CENTER,
      () => ({
        ...nowhere(),
        ...(other && { body: other }),
      }),
      AUDITED,
    ),
  ]),
  nobodys(claims.requestClaim, NO_CENTER, () => ({ ...nowhere(), body: { message: 'I run the desk' } })),
  forAll(managers.listMyManagerRights),
];

interface Managed {
  endpoint: Endpoint;
  /** Of an endpoint with several bodies. */
  body?: string;
  /** The rest of a request, beside the center. */
  make?: (world: MatrixWorld, center: string) => Promise<Call> | Call;
  reveals?: RegExp;
}

async function refereeAt(world: MatrixWorld, center: string): Promise<Someone> {
  const who = await world.someone('Rex');
  await grant(world.api, who.user.id, center);
  return who;
}

async function version(world: MatrixWorld, center: string, of: 'details' | 'hours'): Promise<number> {
  const url = `/v1/sport-centers/${center}/${of}`;
  const reply = await world.api.app.inject({ url, headers: world.of('operator').headers });
  return reply.json().data?.version ?? 0;
}

const NO_HOURS = { weekly: Array(7).fill([]), closed_days: [] };
const HOURS = {
  weekly: Array(7).fill([{ opens: '09:00', closes: '21:00' }]),
  closed_days: [{ from: '2030-01-01', until: '2030-01-02', reason: 'New Year' }],
};

const managed: Managed[] = [
  { endpoint: details.getCenterDetails },
  {
    endpoint: details.updateCenterDetails,
    make: async (world, center) => ({ body: { version: await version(world, center, 'details'), is_private: true } }),
  },
  {
    endpoint: details.updateCenterDetails,
    body: 'name and sports',
    make: async (world, center) => ({
      body: { version: await version(world, center, 'details'), name: 'Muro', sports: ['climbing', 'swimming'] },
    }),
  },
  { endpoint: hours.getCenterHours },
  {
    endpoint: hours.updateCenterHours,
    make: async (world, center) => ({ body: { version: await version(world, center, 'hours'), ...NO_HOURS } }),
  },
  {
    endpoint: hours.updateCenterHours,
    body: 'open and closed days',
    make: async (world, center) => ({ body: { version: await version(world, center, 'hours'), ...HOURS } }),
  },
  { endpoint: listCenterReviews },
  { endpoint: appeals.listCenterAppeals, reveals: /^owner (name|appeal|appealed activity)$/ },
  { endpoint: weeks.getCenterWeeks },
  { endpoint: claims.getCenterPoster },
  { endpoint: staff.getCenterStaff, reveals: OF_MEMBERS },
  { endpoint: staff.inviteReferee, make: () => ({ body: {} }) },
  { endpoint: staff.inviteReferee, body: 'one sport', make: () => ({ body: { sport_types: ['climbing'] } }) },
  {
    endpoint: staff.revokeReferee,
    make: async (world, center) => ({ params: { public_id: (await refereeAt(world, center)).user.public_id } }),
  },
  { endpoint: staff.inviteManager },
  { endpoint: staff.inviteKiosk },
];

/** Each operation at the center, at another one, and at none. */
const managedRows: Row[] = managed.flatMap(({ endpoint, body, make = () => ({}), reveals }) => {
  const row = (on: string, of: (world: MatrixWorld) => string, more: Partial<Row>): Row => ({
    endpoint,
    on: body ? `${on}, ${body}` : on,
    may: 'everyone',
    async make(world) {
      const center = of(world);
      const call: Call = await make(world, center);
      return { ...call, params: { id: center, ...call.params } };
    },
    ...(reveals && { reveals }),
    ...more,
  });
  return [
    row('the center', ({ center }) => center, {}),
    row('another center', ({ elsewhere }) => elsewhere, { managers: AT_ELSEWHERE }),
    nobodys(
      endpoint,
      NO_CENTER,
      async (world) => {
        const call: Call = await make(world, world.center);
        return { ...call, params: { ...call.params, id: anyId() } };
      },
      { on: body ? `${NOTHING}, ${body}` : NOTHING, managers: AT_NO_CENTER },
    ),
  ];
});

/** Rights that end, each of a user of its own. */
const endings: Row[] = [
  {
    endpoint: staff.revokeManager,
    on: 'another manager',
    may: ['operator'],
    others: 'not_an_operator',
    async make(world) {
      const { user } = await world.someone('Mia');
      await world.api.database
        .insertInto('managers')
        .values({ user_id: user.id, sport_center_id: world.center })
        .execute();
      return { params: { id: world.center, public_id: user.public_id } };
    },
  },
  nobodys(
    staff.revokeManager,
    NO_CENTER,
    ({ owner }) => ({ params: { id: anyId(), public_id: owner.user.public_id } }),
    {
      on: `${NOTHING}, a center`,
      managers: AT_NO_CENTER,
    },
  ),
  nobodys(
    staff.inviteReferee,
    'sport_not_offered',
    ({ third }) => ({ params: { id: third }, body: { sport_types: ['swimming'] } }),
    { on: 'a center without that sport', managers: AT_NO_CENTER },
  ),
  nobodys(
    details.updateCenterDetails,
    'center_changed',
    async (world) => ({
      ...at(world),
      body: { version: (await version(world, world.center, 'details')) + 7, name: 'Pared' },
    }),
    { on: 'the center, in a version that it has not' },
  ),
  nobodys(
    hours.updateCenterHours,
    'center_changed',
    async (world) => ({
      ...at(world),
      body: { version: (await version(world, world.center, 'hours')) + 7, ...HOURS, closed_days: [] },
    }),
    { on: 'the center, in a version that it has not' },
  ),
  nobodys(staff.revokeManager, 'user_not_found', ({ center }) => ({ params: { id: center, public_id: 'no-such' } })),
  nobodys(staff.revokeReferee, 'user_not_found', ({ center }) => ({ params: { id: center, public_id: 'no-such' } })),
];

/** Ends the kiosk of a caller. */
export const LAST_ROWS_OF_CENTERS: Row[] = [
  nobodys(staff.revokeKiosks, NO_CENTER, nowhere, { managers: AT_NO_CENTER }),
  {
    endpoint: staff.revokeKiosks,
    on: 'another center',
    may: 'everyone',
    managers: AT_ELSEWHERE,
    make: ({ elsewhere }) => ({ params: { id: elsewhere } }),
  },
  { endpoint: staff.revokeKiosks, on: 'the center', may: 'everyone', make: at },
];

export const ROWS_OF_CENTERS: Row[] = [...publicRows, ...claimRows, ...managedRows, ...endings];
