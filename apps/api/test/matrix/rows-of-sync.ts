import { type Op, syncActivities } from '@sendlap/contract/activities.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, NOTHING, nobodys, ofAda } from './rows.ts';
import { BY_REFEREE, KEPT, LOGGED, newScan, OF_ADA, SCANNERS, SCANS } from './rows-of-training.ts';
import type { Answer, Call, Prepared, Row } from './rules.ts';

const MINUTE_MS = 60_000;

const iso = (at: number) => new Date(at).toISOString();
const send = (op: Op): Call => ({ body: { ops: [op] } });
const newOp = (client_id: string) => ({ client_id, op_id: anyId() });

type Rest = Omit<Parameters<typeof ofAda>[1], 'on'>;

/** Ops of each kind about an activity of Ada's, as the outbox sends them; the answer is that of the op. */
const OF_EACH_KIND: Record<Exclude<Op['kind'], 'start'>, [Rest, (world: MatrixWorld) => Promise<Prepared>]> = {
  reopen: [
    { ...OF_ADA, may: [], except: { owner: 'activity_already_active' } },
    async (world) => {
      const { client_id } = await world.finished();
      await world.running();
      return send({ kind: 'reopen', ...newOp(client_id) });
    },
  ],
  finish: [
    OF_ADA,
    async (world) => {
      const { client_id } = await world.running();
      return send({ kind: 'finish', ...newOp(client_id), ended_at: iso(Date.now() - 100) });
    },
  ],
  scan: [
    BY_REFEREE,
    async (world) => {
      await world.makeRoom();
      const climb = await world.finished();
      return () => send({ kind: 'scan', client_id: climb.client_id, ...world.scanBody(climb) } as Op);
    },
  ],
  edit: [
    OF_ADA,
    async (world) => {
      const { client_id } = await world.finished();
      return send({ kind: 'edit', ...newOp(client_id), edited_at: iso(Date.now()), intensity: 'easy' });
    },
  ],
  delete: [OF_ADA, async (world) => send({ kind: 'delete', ...newOp((await world.finished()).client_id) })],
  appeal: [
    OF_ADA,
    async (world) => {
      const { client_id } = await world.decided('reject');
      return send({ kind: 'appeal', ...newOp(client_id), appealed_at: iso(Date.now()) });
    },
  ],
  withdraw: [
    { may: ['referee'], others: 'decision_not_found', ...KEPT },
    async (world) => {
      const { client_id, scan_op_id } = await world.decided('reject', world.of('referee'));
      return send({ kind: 'withdraw', ...newOp(client_id), scan_op_id });
    },
  ],
};

/** Ops of each kind about something that does not exist. */
const OF_NOTHING: Record<Op['kind'], [ErrorCode, (world: MatrixWorld) => Op]> = {
  start: [
    'sport_center_not_found',
    (world) => ({ kind: 'start', client_id: anyId(), ...world.startBody(Date.now()), sport_center_id: anyId() }),
  ],
  reopen: ['activity_not_found', () => ({ kind: 'reopen', ...newOp(anyId()) })],
  finish: ['activity_not_found', () => ({ kind: 'finish', ...newOp(anyId()), ended_at: iso(Date.now()) })],
  scan: [
    'device_unknown',
    (world) => {
      const climb = { client_id: anyId(), started_at: Date.now() - MINUTE_MS, ended_at: Date.now() };
      const device = { ...world.device, key_id: anyId() };
      return { kind: 'scan', client_id: climb.client_id, ...world.scanBody(climb, {}, device) } as Op;
    },
  ],
  edit: [
    'activity_not_found',
    () => ({ kind: 'edit', ...newOp(anyId()), edited_at: iso(Date.now()), intensity: 'easy' }),
  ],
  delete: ['activity_not_found', () => ({ kind: 'delete', ...newOp(anyId()) })],
  appeal: ['activity_not_found', () => ({ kind: 'appeal', ...newOp(anyId()), appealed_at: iso(Date.now()) })],
  withdraw: ['decision_not_found', () => ({ kind: 'withdraw', ...newOp(anyId()), scan_op_id: anyId() })],
};

/** The friend confirmed another activity a moment ago, by its own call. */
const AGAIN: Partial<Record<Answer, Answer>> = { ok: 'peer_too_soon' };

export const ROWS_OF_SYNC: Row[] = [
  ...Object.entries(OF_EACH_KIND).map(([kind, [rest, make]]) =>
    ofAda(syncActivities, { ...rest, on: `an activity of Ada, ${kind}` }, make),
  ),
  ...SCANS.map(({ body, of_friend, fields }) =>
    ofAda(
      syncActivities,
      {
        ...BY_REFEREE,
        on: `an activity of Ada beside a friend, scan, ${body}`,
        except: { ...SCANNERS, friend: AGAIN[of_friend] ?? of_friend },
      },
      async (world) => {
        const climb = await newScan(world);
        return () => send({ kind: 'scan', client_id: climb.client_id, ...world.scanBody(climb, fields) } as Op);
      },
    ),
  ),
  ...Object.entries(OF_NOTHING).map(([kind, [answer, make]]) =>
    nobodys(syncActivities, answer, (world) => () => send(make(world)), { on: `${NOTHING}, ${kind}`, ...LOGGED }),
  ),
];
