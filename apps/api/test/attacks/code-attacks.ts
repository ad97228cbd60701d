import { randomUUID } from 'node:crypto';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import { addPhone } from '../scenes/clocked-world.ts';
import { type Attack, DAY_MS, HOUR_MS, iso, MINUTE_MS, resultOf, type Stage } from './attack.ts';

const STEP_S = 30;

/** Codes that were used before, kept, copied or forged. */
export const codeAttacks: Attack[] = [
  {
    name: 'a code that was used before, after its confirmation was taken back',
    expected: 'code_replayed',
    async attempt(stage) {
      const planned = await stage.climbed();
      const { payload } = stage.code(planned);
      const op_id = randomUUID();
      await stage.scan(payload, { op_id });
      const url = `/v1/activities/${planned.client_id}/withdraw`;
      const taken = await stage.post(stage.rex, url, { op_id: randomUUID(), scan_op_id: op_id });
      if (taken.status !== 200) throw new Error(`withdrawing was answered ${taken.code}`);
      stage.now += 1000;
      return stage.scanned(payload, {}, await stage.referee());
    },
  },
  {
    name: 'a screenshot of an hour ago',
    expected: 'code_expired',
    async attempt(stage) {
      const planned = await stage.climbed();
      const { payload } = stage.code(planned);
      stage.now += HOUR_MS;
      return stage.scanned(payload);
    },
  },
  ...[-2, 2].map(
    (steps): Attack => ({
      name: `a code of ${steps} steps from now, online`,
      expected: 'code_expired',
      attempt: async (stage) => shownAt(stage, steps, {}),
    }),
  ),
  ...[-3, 3].map(
    (steps): Attack => ({
      name: `a code of ${steps} steps from the scan, offline`,
      expected: 'code_expired',
      attempt: async (stage) => shownAt(stage, steps, { recorded_offline: true }),
    }),
  ),
  {
    name: "signed by another person's phone",
    expected: 'code_forged',
    async attempt(stage) {
      const { key } = await stage.world.makePerson('Mallory');
      const { key_id } = stage.ada;
      return stage.scanned(stage.code(await stage.climbed(), {}, { key_id, key }).payload);
    },
  },
  {
    name: "signed by another phone of one's own",
    expected: 'code_forged',
    async attempt(stage) {
      const { key } = await addPhone(stage.world.call, stage.ada);
      const { key_id } = stage.ada;
      return stage.scanned(stage.code(await stage.climbed(), {}, { key_id, key }).payload);
    },
  },
  {
    name: "another athlete's activity under an own key: nothing to join it to",
    expected: 'waiting, finished, 0 points',
    has_no_switch: true,
    async attempt(stage) {
      const mallory = await stage.world.makePerson('Mallory');
      const planned = await stage.climbed();
      const result = await stage.scanned(stage.code(planned, {}, mallory).payload);
      const { status, points } = await stage.look(planned);
      return `${result}, ${status}, ${points} points`;
    },
  },
  {
    name: 'by an unknown key',
    expected: 'device_unknown',
    has_no_switch: true,
    attempt: async (stage) => stage.scanned(stage.code(await stage.climbed(), { key_id: randomUUID() }).payload),
  },
  {
    name: 'by a phone that was given up before the scan',
    expected: 'device_revoked',
    async attempt(stage) {
      const planned = await stage.climbed();
      await stage.world.call('DELETE', `/v1/devices/${stage.ada.key_id}`, stage.ada, stage.now);
      stage.now += MINUTE_MS;
      return stage.scanned(stage.code(planned).payload);
    },
  },
  ...Array.from(
    { length: MAC_BYTES },
    (_, byte): Attack => ({
      name: `byte ${byte} of the MAC changed`,
      expected: 'code_forged',
      attempt: async (stage) => stage.scanned(changed(stage.code(await stage.climbed()).sealed, -1 - byte)),
    }),
  ),
  {
    name: 'each byte of the content changed',
    expected: 'each refused',
    async attempt(stage) {
      const { sealed } = stage.code(await stage.climbed());
      let let_in = 0;
      let broken: unknown;
      let who = stage.rex;
      for (let byte = 0; byte < sealed.length - MAC_BYTES; byte += 1) {
        // A referee may scan at most 60 times an hour.
        if (byte % 50 === 49) who = await stage.referee();
        // Without the checks, a changed byte may encode an impossible time, which ends in an error of its own.
        const result = await stage.scanned(changed(sealed, byte), {}, who).catch((error: unknown) => {
          broken = error;
          return 'broken';
        });
        if (result === 'too_many_requests') throw new Error('the limit answered instead of the check');
        if (['accepted', 'waiting'].includes(result)) let_in += 1;
      }
      if (let_in > 0) return `let in ${let_in}`;
      if (broken) throw broken;
      return 'each refused';
    },
  },
  {
    name: 'a text that is no code',
    expected: 'code_unreadable',
    has_no_switch: true,
    attempt: (stage) => stage.scanned(toBase64Url(new Uint8Array(60).fill(7))),
  },
  {
    name: "the kiosk's code in place of an activity's",
    expected: 'code_kind_unsupported',
    has_no_switch: true,
    attempt: (stage) => stage.scanned(stage.venueCode()),
  },
  {
    name: 'digits of a minute ago',
    expected: 'digits_unknown',
    has_no_switch: true,
    async attempt(stage) {
      const { digits } = stage.code(await stage.climbed(), { step: Math.floor(stage.now / 1000 / STEP_S) - 2 });
      return resultOf(await stage.post(stage.rex, '/v1/activities/validate', stage.scanBody({ code: digits })));
    },
  },
  {
    name: 'the eleventh guess of digits within an hour',
    expected: 'too_many_requests',
    has_no_switch: true,
    async attempt(stage) {
      const guess = async (nth: number) => {
        const code = String(nth).padStart(8, '0');
        return resultOf(await stage.post(stage.rex, '/v1/activities/codes/resolve', { code }));
      };
      for (let nth = 0; nth < 10; nth += 1) {
        if ((await guess(nth)) !== 'digits_unknown') throw new Error('a guess was not wrong');
      }
      return guess(10);
    },
  },
];

/** Impossible clocks and times. */
export const clockAttacks: Attack[] = [
  {
    name: 'scanned an hour from now',
    expected: 'scan_in_future',
    async attempt(stage) {
      const planned = await stage.climbed();
      const then = stage.now + HOUR_MS;
      const { payload } = stage.code(planned, { step: Math.floor(then / 1000 / STEP_S) });
      return stage.scanned(payload, { scanned_at: iso(then) });
    },
  },
  ...[2, -2].map(
    (hours): Attack => ({
      name: `offline, a clock ${hours} h off that was never measured`,
      expected: hours > 0 ? 'scan_in_future' : 'code_expired',
      async attempt(stage) {
        const { payload } = stage.code(await stage.climbed());
        const clock = { offset_ms: 0, age_ms: null };
        return stage.scanned(payload, { scanned_at: iso(stage.now + hours * HOUR_MS), clock, recorded_offline: true });
      },
    }),
  ),
  ...[2, -2].map(
    (hours): Attack => ({
      name: `offline, an offset of ${hours} h that the clock does not have`,
      expected: hours > 0 ? 'scan_in_future' : 'code_expired',
      async attempt(stage) {
        const { payload } = stage.code(await stage.climbed());
        const clock = { offset_ms: hours * HOUR_MS, age_ms: 1000 };
        return stage.scanned(payload, { clock, recorded_offline: true });
      },
    }),
  ),
  ...[31_000, -31_000, 7_200_000].map(
    (jump_ms): Attack => ({
      name: `a wall clock that was put ${jump_ms / 1000} s on`,
      expected: 'clock_jumped',
      async attempt(stage) {
        const { payload } = stage.code(await stage.climbed());
        return stage.scanned(payload, { clock: { offset_ms: 0, age_ms: 1000, jump_ms } });
      },
    }),
  ),
  {
    name: 'an activity that ended over 12 hours ago',
    expected: 'validation_window_closed',
    attempt: async (stage) => stage.scanned(stage.code(await stage.climbed({ ago: 12 * HOUR_MS + MINUTE_MS })).payload),
  },
  {
    name: 'a scan that was kept for over 14 days',
    expected: 'scan_too_old',
    async attempt(stage) {
      const planned = await stage.climbed();
      const { payload } = stage.code(planned);
      const scanned_at = iso(stage.now);
      stage.now += 14 * DAY_MS + MINUTE_MS;
      return stage.scanned(payload, { scanned_at, recorded_offline: true });
    },
  },
  {
    name: 'an end that has not come yet',
    expected: 'activity_in_future',
    async attempt(stage) {
      const planned = await stage.climbed();
      return stage.scanned(stage.code({ ...planned, ended: stage.now + HOUR_MS }).payload);
    },
  },
  {
    name: 'a climb of 25 hours',
    expected: 'activity_duration_invalid',
    async attempt(stage) {
      const planned = await stage.climbed();
      return stage.scanned(stage.code({ ...planned, started: planned.ended - 25 * HOUR_MS }).payload);
    },
  },
  {
    name: 'a running activity: its scan waits and gives nothing',
    expected: 'waiting, active, 0 points',
    has_no_switch: true,
    async attempt(stage) {
      const planned = stage.climb();
      await stage.start(planned);
      const result = await stage.scanned(stage.code(planned).payload);
      const { status, points } = await stage.look(planned);
      return `${result}, ${status}, ${points} points`;
    },
  },
  {
    name: 'a running activity whose code says no end',
    expected: 'activity_not_finished',
    // Without the check, the database refuses it.
    has_no_switch: true,
    async attempt(stage) {
      const planned = stage.climb();
      await stage.start(planned);
      await stage.finish(planned);
      return stage.scanned(stage.code({ ...planned, ended: 0 }).payload);
    },
  },
];

async function shownAt(stage: Stage, steps: number, overrides: object): Promise<string> {
  const planned = await stage.climbed({ ago: 5 * MINUTE_MS });
  const step = Math.floor(stage.now / 1000 / STEP_S) + steps;
  return stage.scanned(stage.code(planned, { step }).payload, overrides);
}

function changed(sealed: Uint8Array, at: number): string {
  const bytes = new Uint8Array(sealed);
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return toBase64Url(bytes);
}
