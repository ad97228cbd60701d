import { type Op, syncActivities } from '@sendlap/contract/activities.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, change, nobodys, ofAda } from './rows.ts';
import { KEPT, LOGGED, OF_ADA, SCANNERS } from './rows-of-training.ts';
import type { Call, Prepared, Row } from './rules.ts';

const MINUTE_MS = 60_000;

const iso = (at: number) => new Date(at).toISOString();
const send = (op: Op): Call => ({ body: { ops: [op] } });
const newOp = (client_id: string) => ({ client_id, op_id: anyId() });

type Rest = Omit<Parameters<typeof ofAda>[1], 'on'>;

async function startAgain(world: MatrixWorld): Promise<Call> {
  const { client_id } = await world.finished();
  return send({ kind: 'start', client_id, ...world.startBody(Date.now() - MINUTE_MS) });
}

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
    { may: ['referee'], others: 'not_a_referee', except: SCANNERS, ...LOGGED },
    async (world) => {
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

export const ROWS_OF_SYNC: Row[] = [
  change(syncActivities, (world) =>
    send({ kind: 'start', client_id: anyId(), ...world.startBody(Date.now() - MINUTE_MS) }),
  ),
  // Ids of activities are each athlete's own: to another one, that of Ada's says nothing.
  change(syncActivities, startAgain, { on: 'an id of Ada, start' }),
  nobodys(syncActivities, 'conflict', startAgain, { on: 'an activity of Ada, start', callers: ['owner'], ...KEPT }),
  ...Object.entries(OF_EACH_KIND).map(([kind, [rest, make]]) =>
    ofAda(syncActivities, { ...rest, on: `an activity of Ada, ${kind}` }, make),
  ),
  nobodys(syncActivities, 'activity_not_found', () => send({ kind: 'delete', ...newOp(anyId()) }), KEPT),
];
