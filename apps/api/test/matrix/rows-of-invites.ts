import { redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import { pairKiosk } from '@sendlap/contract/kiosks.ts';
import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { createInvite } from '#api/modules/invites/service.ts';
import { must } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { change, forAll, nobodys } from './rows.ts';
import type { Call, Row } from './rules.ts';

const KINDS = ['referee', 'manager', 'operator', 'kiosk'] as const;
type Kind = (typeof KINDS)[number];

const ENDPOINTS: Record<Kind, Endpoint> = {
  referee: redeemRefereeInvite,
  manager: redeemManagerInvite,
  operator: redeemOperatorInvite,
  kiosk: pairKiosk,
};
/** Refused codes that are in the audit trail. */
const NOTES: Record<Kind, { notes?: readonly string[] }> = {
  referee: {},
  manager: { notes: ['audit_entries'] },
  operator: { notes: ['audit_entries'] },
  kiosk: {},
};

async function codeOf({ api, third }: MatrixWorld, kind: Kind): Promise<Call> {
  const of_center = { sport_center_id: third, right_until: null };
  const invitation =
    kind === 'operator'
      ? ({ kind, granted_by: 'test' } as const)
      : ({ kind, ...of_center, sport_types: kind === 'referee' ? (['climbing'] as const) : [] } as const);
  return { body: { code: (await createInvite(api.database, invitation, new Date())).code } };
}

const newCode = (kind: Kind) => (world: MatrixWorld) => codeOf(world, kind);

/** A code is good for its own kind of right only, and once. */
export const ROWS_OF_INVITES: Row[] = KINDS.flatMap((kind) => [
  nobodys(ENDPOINTS[kind], 'invite_unknown', () => ({ body: { code: 'aaaabbbbcccc' } }), NOTES[kind]),
  ...KINDS.filter((other) => other !== kind).map((other) =>
    nobodys(ENDPOINTS[kind], 'invite_unknown', newCode(other), { on: `a code for: ${other}`, ...NOTES[kind] }),
  ),
  nobodys(
    ENDPOINTS[kind],
    'invite_invalid',
    async (world) => {
      const call = await codeOf(world, kind);
      const user = await world.someone('Una');
      await must(world.api, user, 'POST', ENDPOINTS[kind].path, { ...call.body });
      return call;
    },
    { on: 'a code that another user has used', ...NOTES[kind] },
  ),
]);

/** Each caller gets the right. */
export const REDEEMED: Row[] = [
  forAll(pairKiosk, newCode('kiosk'), { on: 'a new code' }),
  change(redeemRefereeInvite, newCode('referee')),
  change(redeemManagerInvite, newCode('manager')),
  change(redeemOperatorInvite, newCode('operator')),
];
