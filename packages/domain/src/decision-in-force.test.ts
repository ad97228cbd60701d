import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cannotAnswerAppeal,
  type Decision,
  type DecisionHistory,
  decisionInForce,
  isVoid,
  lastTimeStepBefore,
  openRejection,
  PROOF_METHODS,
  shouldStoreDecision,
} from './decision-in-force.ts';

const NOTHING: DecisionHistory = { edited_at_ms: null, appealed_at_ms: null };

function decision(op_id: string, fields: Partial<Decision> = {}): Decision {
  return {
    op_id,
    method: 'referee',
    decision: 'confirm',
    scanner_id: `person ${op_id}`,
    scanned_at_ms: 1000,
    step: 1,
    received_at_ms: 1000,
    withdrawn_at_ms: null,
    ...fields,
  };
}

const standing = (decisions: Decision[], history: Partial<DecisionHistory> = {}) =>
  decisionInForce(decisions, { ...NOTHING, ...history })?.op_id ?? null;

describe('no decision is in force', () => {
  test('without a decision', () => expect(standing([])).toBeNull());

  test('when the only proof is from before the edit', () => {
    expect(standing([decision('a', { scanned_at_ms: 999 })], { edited_at_ms: 1000 })).toBeNull();
    expect(standing([decision('a', { scanned_at_ms: 1000 })], { edited_at_ms: 1000 })).toBe('a');
  });

  test('after the one in force was taken back, although it had overtaken another', () => {
    const late = decision('b', { scanned_at_ms: 2000 });
    expect(standing([late, decision('a', { withdrawn_at_ms: 5000 })])).toBeNull();
  });

  test('while the appeal is unanswered, also by the referee who rejected', () => {
    const rejection = decision('a', { decision: 'reject' });
    const again = decision('b', { decision: 'reject', scanned_at_ms: 3000, scanner_id: 'person a' });
    const friend = decision('c', { method: 'peer', scanned_at_ms: 3000 });
    expect(standing([rejection], { appealed_at_ms: 2000 })).toBeNull();
    expect(standing([rejection, again, friend], { appealed_at_ms: 2000 })).toBeNull();
    for (const one of [again, friend]) {
      expect(cannotAnswerAppeal([rejection], one, { ...NOTHING, appealed_at_ms: 2000 })).toBe(true);
    }
  });

  test('when an appealed activity is edited: who rejected it still cannot answer', () => {
    const rejection = decision('a', { decision: 'reject' });
    const again = decision('b', { scanned_at_ms: 4000, scanner_id: 'person a' });
    expect(standing([rejection, again], { appealed_at_ms: 2000, edited_at_ms: 3000 })).toBeNull();
  });
});

test('a rejection is never void, whatever the time of an edit and of an appeal', () => {
  const rejection = decision('a', { decision: 'reject' });
  for (const appealed_at_ms of [null, 500, 1500, 5000]) {
    expect(isVoid(rejection, { edited_at_ms: 3000, appealed_at_ms })).toBe(false);
    expect(isVoid({ ...rejection, decision: 'confirm' }, { edited_at_ms: 3000, appealed_at_ms })).toBe(true);
  }
  expect(standing([rejection], { edited_at_ms: 3000 })).toBe('a');
  const again = decision('b', { scanned_at_ms: 4000, scanner_id: 'person a' });
  expect(standing([rejection, again], { edited_at_ms: 1500, appealed_at_ms: 2000 })).toBeNull();
});

test('a rejection is open until another referee has answered its appeal, or it was taken back', () => {
  const rejection = decision('a', { decision: 'reject' });
  const open = (decisions: Decision[], history: Partial<DecisionHistory> = {}) =>
    openRejection(decisions, { ...NOTHING, ...history })?.op_id ?? null;
  expect([open([]), open([decision('a')]), open([rejection])]).toEqual([null, null, 'a']);
  expect(open([rejection], { appealed_at_ms: 2000 })).toBe('a');
  const answer = decision('b', { scanned_at_ms: 3000 });
  expect(open([rejection, answer], { appealed_at_ms: 2000 })).toBeNull();
  expect(open([rejection, { ...answer, decision: 'reject' }], { appealed_at_ms: 2000 })).toBe('b');
  expect(open([{ ...rejection, withdrawn_at_ms: 4000 }], { appealed_at_ms: 2000 })).toBeNull();
});

test('the stronger method is in force, whenever it was scanned', () => {
  const peer = decision('a', { method: 'peer', scanned_at_ms: 1 });
  const venue = decision('b', { method: 'venue', scanned_at_ms: 2, scanner_id: null, step: null });
  const referee = decision('c', { decision: 'reject', scanned_at_ms: 3 });
  expect([standing([peer, venue]), standing([peer, venue, referee])]).toEqual(['b', 'c']);
});

test('of one method the first scan is in force, then the smaller op id', () => {
  const [first, second] = [decision('b', { scanned_at_ms: 1 }), decision('a', { scanned_at_ms: 2 })];
  expect(standing([second, first])).toBe('b');
  expect(standing([decision('b'), decision('a')])).toBe('a');
});

test('a rejection is in force until it is appealed and another referee decides', () => {
  const rejection = decision('a', { decision: 'reject' });
  const answer = decision('b', { scanned_at_ms: 3000 });
  expect(standing([rejection, answer])).toBe('a');
  expect(standing([rejection, answer], { appealed_at_ms: 2000 })).toBe('b');
});

test('an earlier confirmation that arrives after the appeal precedes the answer', () => {
  const rejection = decision('b', { decision: 'reject', scanned_at_ms: 1000 });
  const answer = decision('c', { decision: 'reject', scanned_at_ms: 3000 });
  const early = decision('a', { scanned_at_ms: 500 });
  expect(standing([rejection, answer, early], { appealed_at_ms: 2000 })).toBe('a');
});

test('a scan after a withdrawal counts, also by the scanner who withdrew', () => {
  const taken_back = decision('a', { withdrawn_at_ms: 5000 });
  expect(standing([taken_back, decision('b', { scanned_at_ms: 5000 })])).toBe('b');
  const again = decision('b', { scanned_at_ms: 4000, scanner_id: 'person a', received_at_ms: 5000 });
  expect(standing([taken_back, again])).toBe('b');
  expect(standing([taken_back, { ...again, received_at_ms: 4999 }])).toBeNull();
});

test('a rejection that is taken back after it was overruled changes nothing', () => {
  const rejection = decision('a', { decision: 'reject', withdrawn_at_ms: 9000 });
  expect(standing([rejection, decision('b', { scanned_at_ms: 3000 })], { appealed_at_ms: 2000 })).toBe('b');
});

test('only steps of scans made before count as used up, and not those of weaker ones', () => {
  const known = [decision('a', { scanned_at_ms: 1, step: 7 }), decision('b', { scanned_at_ms: 5, step: 9 })];
  const scan = { op_id: 'c', method: 'referee' as const, decision: 'confirm' as const };
  expect(lastTimeStepBefore(known, { ...scan, scanned_at_ms: 3 })).toBe(7);
  expect(lastTimeStepBefore(known, { ...scan, op_id: 'a', scanned_at_ms: 1 })).toBeNull();
  expect(lastTimeStepBefore([decision('a', { step: null })], { ...scan, scanned_at_ms: 2000 })).toBeNull();
  const friend = decision('a', { method: 'peer', step: 7 });
  expect(lastTimeStepBefore([friend], { ...scan, scanned_at_ms: 2000 })).toBeNull();
  expect(lastTimeStepBefore([friend], { ...scan, method: 'peer', scanned_at_ms: 2000 })).toBe(7);
});

test('a confirmation, which an edit may void, uses up no step for a rejection', () => {
  const scan = { op_id: 'c', method: 'referee' as const, decision: 'reject' as const, scanned_at_ms: 2000 };
  expect(lastTimeStepBefore([decision('a', { step: 7 })], scan)).toBeNull();
  expect(lastTimeStepBefore([decision('a', { step: 7, decision: 'reject' })], scan)).toBe(7);
});

const anyDecision = fc.record({
  op_id: fc.uuid(),
  method: fc.constantFrom(...PROOF_METHODS),
  decision: fc.constantFrom('confirm' as const, 'reject' as const),
  scanner_id: fc.constantFrom('r1', 'r2', 'r3'),
  scanned_at_ms: fc.integer({ min: 0, max: 20 }),
  step: fc.integer({ min: 0, max: 20 }),
  received_at_ms: fc.integer({ min: 20, max: 40 }),
  withdrawn_at_ms: fc.constant(null),
});

test('whatever the order of arrival, the same decision is in force in the end, though weaker ones are refused', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyDecision, { maxLength: 6, selector: ({ op_id }) => op_id }),
      fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (all, appealed_at_ms, random) => {
        const history = { edited_at_ms: null, appealed_at_ms };
        const arrive = (order: Decision[]) => {
          let taken: Decision[] = [];
          for (const one of order) {
            if (shouldStoreDecision(taken, one, history)) taken = [...taken, one];
          }
          return decisionInForce(taken, history);
        };
        const key = new Map(all.map(({ op_id }) => [op_id, random.next().value]));
        const shuffled = [...all].sort((a, b) => Number(key.get(a.op_id)) - Number(key.get(b.op_id)));
        // Answers to an appeal cannot come before the rejection that they answer.
        const rounds = (list: Decision[]) => {
          const isLate = (one: Decision) => appealed_at_ms !== null && one.scanned_at_ms >= appealed_at_ms;
          return [...list.filter((one) => !isLate(one)), ...list.filter(isLate)];
        };
        expect(arrive(rounds(shuffled))).toEqual(decisionInForce(all, history));
      },
    ),
    { numRuns: 2000 },
  );
});

test('rejections end the same wherever an edit comes among them, by referees and earlier confirmers', () => {
  const before_edit = anyDecision.map((one) => ({ ...one, scanned_at_ms: Math.min(one.scanned_at_ms, 14) }));
  fc.assert(
    fc.property(
      fc.uniqueArray(before_edit, { minLength: 1, maxLength: 5, selector: ({ op_id }) => op_id }),
      fc.nat({ max: 5 }),
      (all, edit_after) => {
        let taken: Decision[] = [];
        let history = NOTHING;
        for (const [nth, one] of all.entries()) {
          if (nth === edit_after) history = { ...NOTHING, edited_at_ms: 15 };
          if ((one.step ?? 0) <= (lastTimeStepBefore(taken, one) ?? -1)) continue;
          if (!isVoid(one, history) && shouldStoreDecision(taken, one, history)) taken = [...taken, one];
        }
        history = { ...NOTHING, edited_at_ms: 15 };
        expect(decisionInForce(taken, history)).toEqual(decisionInForce(all, history));
      },
    ),
    { numRuns: 2000 },
  );
});

test('the list may be in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyDecision, { maxLength: 6, selector: ({ op_id }) => op_id }), (all) => {
      expect(decisionInForce([...all].reverse(), NOTHING)).toEqual(decisionInForce(all, NOTHING));
    }),
  );
});
