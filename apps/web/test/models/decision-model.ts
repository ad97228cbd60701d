import { type Op, type OpResult, syncActivities } from '@sendlap/contract/activities.ts';
import { type GivenDecision, listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { decodeCode } from '@sendlap/domain/qr-code.ts';
import type { FakeServer } from './fake-server.ts';
import { POOL } from './pool.ts';

type ScanOp = Extract<Op, { kind: 'scan' }>;

/**
 * A friend's decisions about swims at the pool as the server stores them: each is accepted, and can be withdrawn. Tests
 * of the real server check who may decide.
 */
export class DecisionModel {
  #decisions: GivenDecision[] = [];

  constructor(server: FakeServer) {
    server.on(listGivenDecisions, () => ({ items: this.#decisions, next_cursor: null }));
    server.on(syncActivities, ({ body }) => ({ results: body.ops.map((op) => this.#receive(op as Op)) }));
  }

  outcomes(): string[] {
    return this.#decisions.map(({ outcome }) => outcome);
  }

  #receive(op: Op): OpResult {
    if (op.kind === 'scan') this.#decisions = [describe(op), ...this.#decisions];
    if (op.kind === 'withdraw') {
      this.#decisions = this.#decisions.map((decision) =>
        decision.op_id === op.scan_op_id ? { ...decision, outcome: 'withdrawn', can_withdraw: false } : decision,
      );
    }
    return { op_id: op.op_id, outcome: 'accepted', activity: null };
  }
}

function describe({ op_id, client_id, payload, decision, scanned_at }: ScanOp): GivenDecision {
  const bytes = fromBase64Url(payload);
  const read = bytes && decodeCode(bytes);
  if (read?.kind !== 'activity') throw new Error('a scan without the code of an activity');
  const { display_name, sport_type, started_at, ended_at } = read.code;
  return {
    op_id,
    client_id,
    method: 'peer',
    decision,
    outcome: 'in_force',
    athlete: display_name,
    sport_type,
    sport_center_name: POOL.name,
    started_at: new Date(started_at).toISOString(),
    ended_at: new Date(ended_at).toISOString(),
    scanned_at: String(scanned_at),
    can_withdraw: true,
  };
}
