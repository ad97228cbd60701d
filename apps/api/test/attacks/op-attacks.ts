import { randomUUID } from 'node:crypto';
import { fromBase64Url, toBase64Url } from '@sendlap/domain/bytes.ts';
import { type Attack, HOUR_MS, iso, MINUTE_MS, resultOf, type Stage } from './attack.ts';

/** Ops that must not count, and proofs of facts that differ from the stored ones. */
export const opAttacks: Attack[] = [
  {
    name: 'edited after the scan, which arrives later',
    expected: 'activity_edited',
    async attempt(stage) {
      const planned = await stage.climbed({ ago: 5 * MINUTE_MS });
      const { payload } = stage.code(planned);
      const scanned_at = iso(stage.now);
      stage.now += MINUTE_MS;
      await stage.edit(planned, { ended_at: iso(planned.ended + MINUTE_MS) });
      stage.now += MINUTE_MS;
      return stage.scanned(payload, { scanned_at, recorded_offline: true });
    },
  },
  {
    name: 'edited after it was confirmed',
    expected: 'finished, none, 0 points',
    async attempt(stage) {
      const planned = await stage.climbed({ ago: 5 * MINUTE_MS });
      await stage.scan(stage.code(planned).payload);
      stage.now += MINUTE_MS;
      await stage.edit(planned, { ended_at: iso(planned.ended + MINUTE_MS) });
      return describe(stage, planned);
    },
  },
  {
    name: 'a hard climb of 20 minutes that only the athlete calls hard',
    expected: 'validated, referee, 79 points',
    async attempt(stage) {
      const planned = await stage.climbed({ minutes: 20 });
      await stage.scan(stage.code(planned, { intensity: 'hard' }).payload);
      return describe(stage, planned);
    },
  },
  {
    name: 'a deleted activity',
    expected: 'activity_deleted',
    has_no_switch: true,
    async attempt(stage) {
      const planned = await stage.climbed();
      const url = `/v1/activities/${planned.client_id}`;
      await stage.world.call('DELETE', url, stage.ada, stage.now, { op_id: randomUUID() });
      return stage.scanned(stage.code(planned).payload);
    },
  },
  {
    name: 'confirmed a second time',
    expected: 'activity_already_validated',
    async attempt(stage) {
      const planned = await stage.climbed();
      await stage.scan(stage.code(planned).payload);
      stage.now += MINUTE_MS;
      return stage.scanned(stage.code(planned).payload, {}, await stage.referee());
    },
  },
  {
    name: 'confirmed after it was rejected',
    expected: 'activity_rejected',
    async attempt(stage) {
      const planned = await stage.climbed();
      await stage.scan(stage.code(planned).payload, { decision: 'reject' });
      stage.now += MINUTE_MS;
      return stage.scanned(stage.code(planned).payload, {}, await stage.referee());
    },
  },
  {
    name: 'an edit as a way around the appeal',
    expected: 'activity_rejected',
    async attempt(stage) {
      const planned = await stage.climbed();
      await stage.scan(stage.code(planned).payload, { decision: 'reject' });
      stage.now += MINUTE_MS;
      return resultOf(await stage.edit(planned, { ended_at: iso(planned.ended - MINUTE_MS) }));
    },
  },
  {
    name: 'a sport that the center does not have, by its start',
    expected: 'sport_not_offered',
    async attempt(stage) {
      const planned = { ...stage.climb(), center: stage.world.wall, sport: 'swimming' as const };
      return resultOf(await stage.start(planned));
    },
  },
  {
    name: 'a sport that the center does not have, by a code',
    expected: 'sport_not_offered',
    async attempt(stage) {
      await stage.world.grant(stage.rex, stage.world.wall);
      const planned = await stage.record({ ...stage.climb(), center: stage.world.wall });
      return stage.scanned(stage.code({ ...planned, sport: 'swimming' }).payload);
    },
  },
  {
    name: 'two activities at one time, by their ops',
    expected: 'activity_overlap',
    async attempt(stage) {
      await stage.climbed();
      return resultOf(await stage.start(stage.climb({ minutes: 30 })));
    },
  },
  {
    name: 'two activities at one time, by a code',
    expected: 'activity_overlap',
    async attempt(stage) {
      const other = await stage.climbed({ minutes: 30, ago: 60 * MINUTE_MS });
      const planned = await stage.climbed({ minutes: 20 });
      return stage.scanned(stage.code({ ...planned, started: other.started }).payload);
    },
  },
  {
    name: 'a start an hour from now',
    expected: 'activity_in_future',
    attempt: async (stage) => resultOf(await stage.start(stage.climb({ ago: -2 * HOUR_MS, minutes: 60 }))),
  },
  {
    name: 'a start of 15 days ago',
    expected: 'activity_too_old',
    attempt: async (stage) => resultOf(await stage.start(stage.climb({ ago: 15 * 24 * HOUR_MS }))),
  },
];

/** Attacks with a kiosk's code: an op with a bad one is accepted, but without a proof. */
export const venueAttacks: Attack[] = [
  {
    name: "the kiosk's code photographed and sent a minute later",
    expected: 'finished, none, 0 points, venue_code_late',
    attempt: (stage) =>
      visit(stage, {
        at_start: () => stage.venueCode(),
        at_end: () => stage.venueCode(stage.now - MINUTE_MS),
      }),
  },
  {
    name: "the kiosk's code of the start sent again at the end",
    expected: 'finished, none, 0 points, venue_code_late',
    async attempt(stage) {
      const first = stage.venueCode();
      return visit(stage, { at_start: () => first, at_end: () => first });
    },
  },
  {
    name: "another center's kiosk",
    expected: 'finished, none, 0 points, venue_other_center',
    attempt: (stage) =>
      visit(stage, { center: stage.world.wall, at_start: () => stage.venueCode(), at_end: () => stage.venueCode() }),
  },
  {
    name: "the kiosk's code with another MAC",
    expected: 'finished, none, 0 points, code_forged',
    attempt: (stage) =>
      visit(stage, { at_start: () => forged(stage.venueCode()), at_end: () => forged(stage.venueCode()) }),
  },
  {
    name: "the kiosk's code only at the start",
    expected: 'finished, none, 0 points, venue_scan_missing',
    has_no_switch: true,
    attempt: (stage) => visit(stage, { at_start: () => stage.venueCode() }),
  },
  {
    name: 'a longer stay than between the two scans',
    // 60 minutes between the scans, whatever times the athlete claims: 3.94 · 60.
    expected: 'validated, venue, 236 points',
    has_no_switch: true,
    attempt: (stage) =>
      visit(stage, { at_start: () => stage.venueCode(), at_end: () => stage.venueCode(), claimed_minutes: 110 }),
  },
];

async function visit(
  stage: Stage,
  {
    center = stage.world.center,
    at_start,
    at_end,
    claimed_minutes = 60,
  }: { center?: string; at_start: () => string; at_end?: () => string; claimed_minutes?: number },
): Promise<string> {
  const venueScan = (payload: string) => ({ venue_scan: { payload, scanned_at: iso(stage.now) } });
  const planned = { ...stage.climb(), center, started: stage.now - (claimed_minutes - 60) * MINUTE_MS };
  const replies = [await stage.start(planned, venueScan(at_start()))];
  stage.now += 60 * MINUTE_MS;
  replies.push(await stage.finish({ ...planned, ended: stage.now }, at_end ? venueScan(at_end()) : {}));
  for (const reply of replies) if (resultOf(reply) !== 'accepted') throw new Error(`an op was refused: ${reply.code}`);
  return describe(stage, planned);
}

async function describe(stage: Stage, planned: { client_id: string }): Promise<string> {
  const { status, validation, points, proof_note } = await stage.look(planned as never);
  return [status, validation, `${points} points`, ...(proof_note ? [proof_note] : [])].join(', ');
}

function forged(payload: string): string {
  const bytes = new Uint8Array(fromBase64Url(payload) ?? []);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return toBase64Url(bytes);
}
