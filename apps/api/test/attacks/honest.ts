import { randomUUID } from 'node:crypto';
import type { ClockedWorld, PairedKiosk, Person } from '../scenes/clocked-world.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from './attack.ts';

const KINDS = [
  'online',
  'typed digits',
  'offline',
  'offline, clock off',
  'athlete offline',
  'friend',
  'kiosk',
] as const;
type Kind = (typeof KINDS)[number];
const SCANS_A_STAGE = 10;
const OFFSETS_MS = [2 * HOUR_MS, -2 * HOUR_MS, 95_000, -40 * DAY_MS];

/** Honest athletes and referees scan in every way in which a scan can be made; counts the accepted scans. */
export async function scanHonestly(
  world: ClockedWorld,
  kiosk: PairedKiosk,
  scans: number,
): Promise<{ kinds: [string, number, number][]; refusals: string[] }> {
  const counts = new Map<string, { accepted: number; of: number }>(KINDS.map((kind) => [kind, { accepted: 0, of: 0 }]));
  const refusals: string[] = [];
  for (let nth = 0; nth < scans; nth += SCANS_A_STAGE) {
    const stage = await Stage.open(world, kiosk);
    const ben = await world.makePerson('Ben');
    await world.befriend(stage.ada, ben);
    const morning = stage.now - 6 * HOUR_MS;
    for (let each = nth; each < Math.min(nth + SCANS_A_STAGE, scans); each += 1) {
      // Two a day for five days: more than three a day of the same athlete by one referee would reach the pair limit.
      stage.now = morning + Math.floor((each - nth) / 2) * DAY_MS + ((each - nth) % 2) * 5 * HOUR_MS + each * 977;
      const kind = KINDS[each % KINDS.length] ?? 'online';
      const result = await scanOne(stage, ben, kind, each);
      const count = counts.get(kind);
      if (count) {
        count.of += 1;
        if (result === 'accepted') count.accepted += 1;
        else refusals.push(`${kind}: ${result}`);
      }
    }
  }
  return { kinds: [...counts].map(([kind, { accepted, of }]) => [kind, accepted, of]), refusals };
}

/** Returns 'accepted' if the scan was accepted and the athlete sees the proof too. */
async function scanOne(stage: Stage, ben: Person, kind: Kind, nth: number): Promise<string> {
  const minutes = 12 + (nth % 70);
  if (kind === 'kiosk') return comeAndGo(stage, minutes);
  const planned = stage.climb({ minutes, ago: (1 + (nth % 40)) * MINUTE_MS });
  if (kind !== 'athlete offline') await stage.record(planned);
  if (kind === 'friend') await stage.record({ ...planned, client_id: randomUUID() }, ben);
  const result = await scanIn(stage, kind, planned, nth, ben);
  if (result !== 'accepted') return result;
  const { status, validation } = await stage.look(planned);
  const proof = kind === 'friend' ? 'peer' : 'referee';
  return status === 'validated' && validation === proof ? result : `${status} ${validation}`;
}

async function scanIn(stage: Stage, kind: Kind, planned: PlannedActivity, nth: number, ben: Person): Promise<string> {
  // The athlete's and the scanner's clocks are always slightly off.
  const shown = Math.floor((stage.now + (nth % 2 === 0 ? 12_000 : -12_000)) / 30_000);
  const { payload, digits } = stage.code(planned, { step: shown });
  const scanned_at = iso(stage.now);
  switch (kind) {
    case 'online':
      return stage.scanned(payload);
    case 'typed digits':
      return resultOf(await stage.post(stage.rex, '/v1/activities/validate', stage.scanBody({ code: digits })));
    case 'friend':
      return stage.scanned(payload, {}, ben);
    case 'athlete offline':
      return joined(stage, planned, payload, nth);
    default: {
      const offset_ms = kind === 'offline' ? 0 : (OFFSETS_MS[nth % OFFSETS_MS.length] ?? 0);
      const clock = { offset_ms, age_ms: 1000 * nth };
      const op = { kind: 'scan', client_id: planned.client_id, payload, clock, recorded_offline: true };
      const body = stage.scanBody({ ...op, scanned_at: iso(Date.parse(scanned_at) - offset_ms) });
      return later(stage, (nth % 14) * DAY_MS + HOUR_MS, async () => {
        const { data } = await stage.post(stage.rex, '/v1/activities/sync', { ops: [body] });
        const [result] = data.results as { outcome: string; code?: string }[];
        return result?.code ?? result?.outcome ?? 'not answered';
      });
    }
  }
}

/** The referee is online; the athlete's own ops arrive hours or days later. */
async function joined(stage: Stage, planned: PlannedActivity, payload: string, nth: number): Promise<string> {
  const scan = stage.scanBody({ payload });
  const waiting = resultOf(await stage.post(stage.rex, '/v1/activities/validate', scan));
  if (waiting !== 'waiting') return waiting;
  return later(stage, ((nth % 13) + 1) * DAY_MS, async () => {
    await stage.record(planned);
    const again = resultOf(await stage.post(stage.rex, '/v1/activities/validate', scan));
    return again === 'duplicate' ? 'accepted' : again;
  });
}

/** The athlete passes the kiosk on the way in and on the way out. */
async function comeAndGo(stage: Stage, minutes: number): Promise<string> {
  const venueScan = () => ({ venue_scan: { payload: stage.venueCode(stage.now - 9000), scanned_at: iso(stage.now) } });
  const planned = { ...stage.climb(), started: stage.now };
  await stage.start(planned, venueScan());
  stage.now += minutes * MINUTE_MS;
  await stage.finish({ ...planned, ended: stage.now }, venueScan());
  const { status, validation, proof_note } = await stage.look(planned);
  return status === 'validated' && validation === 'venue' ? 'accepted' : `${status} ${validation} ${proof_note}`;
}

/** Runs something `duration_ms` later, then moves the clock back. */
async function later<Value>(stage: Stage, duration_ms: number, run: () => Promise<Value>): Promise<Value> {
  const { now } = stage;
  stage.now += duration_ms;
  const value = await run();
  stage.now = now;
  return value;
}
