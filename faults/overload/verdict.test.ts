import { expect, test } from 'vitest';
import { type OverloadedArm, secondsUntilNormal, whyItFailed } from './verdict.ts';

const kind = (refused: number) => ({ sent: 100, refused });
const ESSENTIALS = { sign_in: kind(40), steps: kind(45) };
const LOUD = { ordinary: kind(80), essentials: ESSENTIALS, delay_p99_ms: 4, unanswered: 0, wrong: {} };
const GOOD_AFTER = { delay_p99_ms: 4, unanswered: 0, wrong: {} };
const GOOD: OverloadedArm = {
  loud: LOUD,
  after: GOOD_AFTER,
  health: { asked: 150, answered: 150 },
  growth_mb: 3,
  normal_after_s: 10,
};

test.each<[string, Partial<OverloadedArm>, string]>([
  ['that shared the cores under load', { loud: { ...LOUD, delay_p99_ms: 501 } }, 'busy with other work'],
  ['that shared the cores afterwards', { after: { ...GOOD_AFTER, delay_p99_ms: 501 } }, 'busy with other work'],
  ['with a call without an answer', { loud: { ...LOUD, unanswered: 1 } }, 'owed an answer'],
  ['with a call without an answer afterwards', { after: { ...GOOD_AFTER, unanswered: 1 } }, 'owed an answer'],
  ['with another answer afterwards', { after: { ...GOOD_AFTER, wrong: { '500 internal': 1 } } }, 'owed an answer'],
  ['with another answer', { loud: { ...LOUD, wrong: { '500 internal': 1 } } }, 'owed an answer'],
  ['without an answer of health', { health: { asked: 150, answered: 149 } }, 'owed an answer'],
  ['that refused nothing', { loud: { ...LOUD, ordinary: kind(0) } }, 'not overloaded'],
  [
    'that refused activities as often as reads',
    { loud: { ...LOUD, essentials: { ...ESSENTIALS, steps: kind(80) } } },
    'calls of steps were not refused less',
  ],
  [
    'that refused sign-ins more often than reads, and activities never',
    { loud: { ...LOUD, essentials: { sign_in: kind(90), steps: { sent: 900, refused: 0 } } } },
    'calls of sign_in were not refused less',
  ],
  [
    'that signed no one in',
    { loud: { ...LOUD, essentials: { ...ESSENTIALS, sign_in: { sent: 0, refused: 0 } } } },
    'calls of sign_in were not refused less',
  ],
  [
    'with too few sign-ins to tell',
    { loud: { ...LOUD, essentials: { ...ESSENTIALS, sign_in: { sent: 10, refused: 5 } } } },
    'too few to tell',
  ],
  ['whose memory grew', { growth_mb: 31 }, 'memory grew'],
  ['that was not as usual after ten seconds', { normal_after_s: 11 }, 'not as usual 10 s after'],
])('A run fails %s', (_name, change, reason) => {
  expect(whyItFailed({ ...GOOD, ...change })).toContain(reason);
});

test.each([
  ['.......', 0],
  ['s......', 1],
  ['s..s...', 4],
  ['....s..', 0],
  ['...ssss', 7],
  ['sssssss', 7],
])('The seconds %s, s for a slow one, end the recovery after %i', (seconds, recovered_after) => {
  expect(secondsUntilNormal([...seconds].map((second) => second === 's'))).toBe(recovered_after);
});

test('A run passes that refused reads first and was as usual within ten seconds', () => {
  expect(whyItFailed(GOOD)).toBe(null);
});
