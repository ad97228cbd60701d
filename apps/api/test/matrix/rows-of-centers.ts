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
import { createInvite } from '#api/modules/invites/service.ts';
import { grant, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { AT_ELSEWHERE, AT_NO_CENTER, anyId, change, fileCall, forAll, nobodys } from './rows.ts';
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
  nobodys(centers.getSportCenter, NO_CENTER, nowhere),
  forAll(centers.getCenterProofs, at),
  nobodys(centers.getCenterProofs, NO_CENTER, nowhere),
  forAll(searchTowns, () => ({ query: { q: 'Bilbao' } })),
  forAll(getMapConfig),
  forAll(fileCall(`${TILES_PATH}/:z/:x/:file`, 'anyone'), () => ({ params: TILE })),
  {
    ...forAll(fileCall(`${STREET_TILES_PATH}/:z/:x/:file`, 'anyone'), () => ({ params: TILE })),
    on: 'streets of none',
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
    [claims.sendClaimMail, 'claim_way_unavailable', { email: 'a@example.org', language: 'en' }] as const,
    [claims.redeemClaimCode, 'claim_unknown', { code: '12345678' }] as const,
    [claims.createClaimLine, 'claim_way_unavailable', undefined] as const,
    [claims.checkClaimLine, 'claim_way_unavailable', undefined] as const,
  ].flatMap(([endpoint, answer, body]) => [
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
        ...(body && { body }),
      }),
      AUDITED,
    ),
  ]),
  change(claims.requestClaim, (world) => ({ ...at(world), body: { message: 'I run the desk' } })),
  nobodys(claims.requestClaim, NO_CENTER, () => ({ ...nowhere(), body: { message: 'I run the desk' } })),
  forAll(managers.listMyManagerRights),
  change(managers.redeemManagerInvite, async ({ api, third }) => {
    const invitation = { kind: 'manager', sport_center_id: third, sport_types: [], right_until: null } as const;
    return { body: { code: (await createInvite(api.database, invitation, new Date())).code } };
  }),
  nobodys(managers.redeemManagerInvite, 'invite_unknown', () => ({ body: { code: 'aaaabbbbcccc' } }), AUDITED),
];

interface Managed {
  endpoint: Endpoint;
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

const managed: Managed[] = [
  { endpoint: details.getCenterDetails },
  {
    endpoint: details.updateCenterDetails,
    make: async (world, center) => ({ body: { version: await version(world, center, 'details'), is_private: true } }),
  },
  { endpoint: hours.getCenterHours },
  {
    endpoint: hours.updateCenterHours,
    make: async (world, center) => ({ body: { version: await version(world, center, 'hours'), ...NO_HOURS } }),
  },
  { endpoint: listCenterReviews },
  { endpoint: appeals.listCenterAppeals, reveals: /^owner (name|appeal|appealed activity)$/ },
  { endpoint: weeks.getCenterWeeks },
  { endpoint: claims.getCenterPoster },
  { endpoint: staff.getCenterStaff, reveals: OF_MEMBERS },
  { endpoint: staff.inviteReferee, make: () => ({ body: {} }) },
  {
    endpoint: staff.revokeReferee,
    make: async (world, center) => ({ params: { public_id: (await refereeAt(world, center)).user.public_id } }),
  },
  { endpoint: staff.inviteManager },
  { endpoint: staff.inviteKiosk },
];

/** Each operation at the center, at another one, and at none. */
const managedRows: Row[] = managed.flatMap(({ endpoint, make = () => ({}), reveals }) => {
  const row = (on: string, of: (world: MatrixWorld) => string, more: Partial<Row>): Row => ({
    endpoint,
    on,
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
    ...(endpoint === staff.revokeReferee ? [] : [nowhereOf({ endpoint, make })]),
  ];
});

function nowhereOf({ endpoint, make = () => ({}) }: Managed): Row {
  const call = async (world: MatrixWorld) => ({ ...(await make(world, world.center)), ...nowhere() });
  return nobodys(endpoint, NO_CENTER, call, { managers: AT_NO_CENTER });
}

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
  nobodys(staff.revokeManager, 'user_not_found', ({ center }) => ({ params: { id: center, public_id: 'no-such' } })),
  nobodys(staff.revokeReferee, 'user_not_found', ({ center }) => ({ params: { id: center, public_id: 'no-such' } })),
];

/** Ends the kiosk of a caller. */
export const LAST_ROWS_OF_CENTERS: Row[] = [
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
