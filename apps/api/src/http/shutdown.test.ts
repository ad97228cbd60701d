import { expect, test } from 'vitest';
import { buildTestApp } from '#test/app/app.ts';
import { readEnv } from '../platform/env.ts';
import { runShutdown } from './shutdown.ts';

test.each([
  ['waits for a proxy, during which it answers and says that it is not ready', 5_000],
  ['without a proxy closes at once', 0],
])('a server that ends %s', async (_name, drain_ms) => {
  const readiness = { accepting: true };
  const api = await buildTestApp({ readiness });
  const { promise: drained, resolve: endWait } = Promise.withResolvers<void>();
  const steps: string[] = [];
  const app = {
    close() {
      steps.push('close');
      return api.app.close();
    },
  };
  const logger = { info() {}, error() {} };
  const cleanups = [async () => void steps.push('afterwards')];
  const wait = (duration_ms: number) => {
    steps.push(`wait ${duration_ms}`);
    return duration_ms === drain_ms ? drained : new Promise<void>(() => {});
  };
  const ended = runShutdown({ app, readiness, logger, drain_ms, cleanups }, wait);
  if (drain_ms > 0) {
    const { statusCode, body } = await api.app.inject('/readyz');
    expect([statusCode, JSON.parse(body)]).toEqual([503, { status: 'unavailable', reason: 'draining' }]);
    expect((await api.app.inject('/v1/openapi.json')).statusCode).toBe(200);
    expect(steps).toEqual(['wait 5000']);
  }
  endWait();
  await ended;
  expect(steps.filter((step) => !step.startsWith('wait'))).toEqual(['close', 'afterwards']);
  expect(steps.includes('wait 5000')).toBe(drain_ms > 0);
  await api.close();
});

test('the wait is five seconds behind a proxy, none without one, and a setting of its own', () => {
  expect(readEnv({}).DRAIN_S).toBe(0);
  expect(readEnv({ TRUST_PROXY: '1' }).DRAIN_S).toBe(5);
  expect(readEnv({ TRUST_PROXY: '1', DRAIN_S: '0' }).DRAIN_S).toBe(0);
  expect(readEnv({ DRAIN_S: '30' }).DRAIN_S).toBe(30);
});
