import { expect, test } from 'vitest';
import { addTimes, compareLongestFirst, measureSteps, type Step } from './journey-times.ts';

const step = (category: string, title: string, start_ms: number, end_ms: number, steps: Step[] = []): Step => ({
  category,
  title,
  startTime: new Date(start_ms),
  duration: end_ms - start_ms,
  steps,
});

test('a step inside another step is not counted twice', () => {
  const poll = step('expect', 'toPass', 0, 100, [
    step('pw:api', 'Click', 10, 40),
    step('expect', 'toBeHidden', 40, 90),
  ]);
  expect(measureSteps([poll], 120)).toEqual({
    server_ms: 0,
    sign_up_ms: 0,
    waiting_ms: 100,
    acting_ms: 0,
    total_ms: 120,
  });
});

test('steps that run at the same time count each moment once', () => {
  const steps = [step('pw:api', 'Wait for event "response"', 0, 50), step('pw:api', 'Click', 10, 60)];
  expect(measureSteps(steps, 60)).toMatchObject({ waiting_ms: 50, acting_ms: 10 });
});

test('all that runs inside the step "sign up" is sign-up, in a fixture too', () => {
  const inside = [step('pw:api', 'Go to "/dashboard"', 20, 30), step('expect', 'toBeVisible', 30, 45)];
  const hooks = step('hook', 'Before Hooks', 0, 60, [
    step('fixture', 'Fixture "server"', 0, 20),
    step('test.step', 'sign up', 20, 50, inside),
  ]);
  expect(measureSteps([hooks], 60)).toMatchObject({ sign_up_ms: 30, server_ms: 30, waiting_ms: 0, acting_ms: 0 });
});

test('a step of another title counts as its content, and a step that never ended counts nothing', () => {
  const group = step('test.step', 'sends a message', 0, 50, [step('pw:api', 'Fill', 0, 20)]);
  const times = measureSteps([group, step('expect', 'toBeVisible', 50, 49)], 70);
  expect(times).toEqual({ server_ms: 0, sign_up_ms: 0, waiting_ms: 0, acting_ms: 20, total_ms: 70 });
  expect(addTimes(times, times)).toEqual({ server_ms: 0, sign_up_ms: 0, waiting_ms: 0, acting_ms: 40, total_ms: 140 });
});

test('the longest file runs first, a file of unknown length before it, equals by name', () => {
  const seconds = { 'a.spec.ts': 5, 'b.spec.ts': 60, 'c.spec.ts': 5 };
  const files = ['c.spec.ts', 'a.spec.ts', 'new.spec.ts', 'b.spec.ts'];
  expect(files.sort(compareLongestFirst(seconds))).toEqual(['new.spec.ts', 'b.spec.ts', 'a.spec.ts', 'c.spec.ts']);
});
