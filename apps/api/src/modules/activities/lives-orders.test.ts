import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type PlannedActivity, resultOf, Stage } from '#test/attacks/attack.ts';
import { type ClockedWorld, openClockedWorld, type PairedKiosk, type Person } from '#test/scenes/clocked-world.ts';

const ORDERS_A_STORY = 12;
/** A smaller counterexample would take minutes, and the time-out would hide this one. */
const endOnFailure = true;

let world: ClockedWorld;
let kiosk: PairedKiosk;

beforeAll(async () => {
  world = await openClockedWorld();
  kiosk = await world.pairKiosk(world.center);
});
afterAll(() => world.close());

/** A scan stored on a phone: scanner, decision, and delay after the end. */
interface Kept {
  who: number;
  decision: 'confirm' | 'reject';
  after_s: number;
  /** The first eight digits; they order scans of the same moment. */
  op: string;
}

const kept: fc.Arbitrary<Kept> = fc.record({
  // Two referees, a third one, and a friend who was there.
  who: fc.constantFrom(0, 0, 1, 1, 2, 3),
  decision: fc.constantFrom('confirm', 'reject'),
  // Some at the same moment, some within one time step of the code.
  after_s: fc.constantFrom(60, 60, 70, 120, 180, 300, 420),
  op: fc.uuid({ version: 4 }).map((id) => id.slice(0, 8)),
});
const several = fc.uniqueArray(kept, { minLength: 2, maxLength: 4, selector: ({ op }) => op });

/** One athlete and all people who may decide. */
class Story {
  readonly stage: Stage;
  readonly scanners: Person[];

  private constructor(stage: Stage, scanners: Person[]) {
    this.stage = stage;
    this.scanners = scanners;
  }

  static async open(): Promise<Story> {
    const stage = await Stage.open(world, kiosk);
    const ben = await world.makePerson('Ben');
    await world.befriend(stage.ada, ben);
    return new Story(stage, [stage.rex, await stage.referee(), await stage.referee(), ben]);
  }

  async begin(): Promise<PlannedActivity> {
    const planned = await this.stage.climbed({ minutes: 60, ago: 2 * HOUR_MS });
    const [ben] = this.scanners.slice(3);
    if (ben) await this.stage.record({ ...planned, client_id: randomUUID() }, ben);
    return planned;
  }

  /** Delivers the scan to the server now; returns its outcome. */
  async receive(planned: PlannedActivity, { who, decision, after_s, op: first }: Kept): Promise<string> {
    const scanner = this.scanners[who] ?? this.stage.rex;
    const at = planned.ended + after_s * 1000;
    const { payload } = this.stage.code(planned, { step: Math.floor(at / 30_000) });
    const said = who === 3 ? 'confirm' : decision;
    const op_id = `${first}${randomUUID().slice(8)}`;
    const op = { op_id, decision: said, scanned_at: iso(at), recorded_offline: true, reason: `by ${who}` };
    return this.stage.scanned(payload, op, scanner);
  }

  /** Returns the final state every reader sees; asserts that the ledger agrees. */
  async end(planned: PlannedActivity): Promise<string> {
    const { data } = await world.call('GET', `/v1/activities/${planned.client_id}`, this.stage.ada, this.stage.now);
    const shown = data as { status: string; validation: string; points: number; ledger: { points: number }[] };
    const booked = shown.ledger.reduce((sum, { points }) => sum + points, 0);
    expect(booked).toBe(shown.points);
    const proofs = (data.proofs as { outcome: string; reason: string | null; decision: string }[])
      .filter(({ outcome }) => outcome === 'in_force')
      .map(({ decision, reason }) => `${decision} ${reason}`);
    const { status, validation, points } = shown;
    const minutes = (Date.parse(String(data.ended_at)) - Date.parse(String(data.started_at))) / MINUTE_MS;
    return JSON.stringify({ status, validation, points, minutes, proofs, can_appeal: data.can_appeal });
  }
}

/**
 * Collects the end states over all orders of arrival; a correct engine yields one. `live` returns false to skip an
 * order.
 */
async function endsOf<Step>(
  orders: Step[][],
  live: (story: Story, planned: PlannedActivity, order: Step[]) => Promise<unknown>,
): Promise<Set<string>> {
  const ends = new Set<string>();
  let story: Story | undefined;
  for (const [nth, order] of orders.entries()) {
    // A new story after each few orders: one user may scan only 60 times an hour.
    if (!story || nth % ORDERS_A_STORY === 0) story = await Story.open();
    story.stage.now += DAY_MS;
    const planned = await story.begin();
    if ((await live(story, planned, order)) === false) continue;
    ends.add(await story.end(planned));
  }
  return ends;
}

function permutationsOf<Step>(steps: Step[]): Step[][] {
  if (steps.length < 2) return [steps];
  return steps.flatMap((first, index) => permutationsOf(steps.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

describe('decisions of several people end the same in every order of arrival,', () => {
  test('by referees and a friend', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(several, async (all) => {
      const ends = await endsOf(permutationsOf(all), async (story, planned, order) => {
        for (const one of order) await story.receive(planned, one);
      });
      expect([...ends]).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 2, endOnFailure });
  });

  test('with an edit from after all of them: nothing is proven', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(several, async (all) => {
      const three = all.slice(0, 3).map((one) => ({ ...one, decision: 'confirm' as const }));
      const ends = await endsOf(permutationsOf([...three, undefined]), async (story, planned, order) => {
        for (const one of order) {
          if (one) await story.receive(planned, one);
          else {
            const change = { ended_at: iso(planned.ended - MINUTE_MS) };
            expect(resultOf(await story.stage.edit(planned, change, planned.ended + HOUR_MS))).toBe('accepted');
          }
        }
      });
      expect([...ends]).toEqual([expect.stringContaining('"status":"finished","validation":"none","points":0')]);
    });
    await fc.assert(property, { numRuns: 2, endOnFailure });
  });

  test('with an edit after all of them: a rejected activity stays rejected', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(several, async ([first, ...others]) => {
      if (!first) return;
      const three = [{ ...first, who: first.who % 3, decision: 'reject' as const }, ...others.slice(0, 2)];
      const ends = await endsOf(permutationsOf([...three, undefined]), async (story, planned, order) => {
        for (const one of order) {
          if (one) await story.receive(planned, one);
          else {
            const change = { ended_at: iso(planned.ended - MINUTE_MS) };
            // An already rejected activity cannot be edited, and the athlete knows why.
            if (resultOf(await story.stage.edit(planned, change, planned.ended + HOUR_MS)) !== 'accepted') return false;
          }
        }
        return true;
      });
      expect([...ends]).toEqual([expect.stringContaining('"status":"rejected"')]);
    });
    await fc.assert(property, { numRuns: 2, endOnFailure });
  });

  test('with an edit from before all of them: the facts of the proof count', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(several, async (all) => {
      const ends = await endsOf(permutationsOf([...all.slice(0, 3), undefined]), async (story, planned, order) => {
        for (const one of order) {
          if (one) await story.receive(planned, one);
          else await story.stage.edit(planned, { intensity: 'easy' }, planned.ended + 30_000);
        }
      });
      expect([...ends]).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 1, endOnFailure });
  });

  test('with an appeal, and whatever was scanned before it and comes after it', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(several, fc.constantFrom('confirm', 'reject'), async (all, answer) => {
      const [first, ...others] = all.map((one) => ({ ...one, who: one.who === 3 ? 0 : one.who }));
      if (!first) return;
      const early = [{ ...first, decision: 'reject' as const }, ...others.slice(0, 2)];
      const ends = await endsOf(permutationsOf(early), async (story, planned, order) => {
        for (const one of order) await story.receive(planned, one);
        const url = `/v1/activities/${planned.client_id}/appeal`;
        const appealed_at = iso(planned.ended + HOUR_MS);
        await story.stage.post(story.stage.ada, url, { op_id: randomUUID(), appealed_at });
        for (const who of [0, 1]) {
          await story.receive(planned, { who, decision: answer, after_s: 3660 + who * 60, op: `aaaaaaa${who}` });
        }
      });
      expect([...ends]).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 4, endOnFailure });
  });
});
