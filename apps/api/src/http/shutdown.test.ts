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
  const stopListening = async () => void steps.push('refuse');
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
    if (duration_ms === drain_ms) return drained;
    return duration_ms === 500 ? Promise.resolve() : new Promise<void>(() => {});
  };
  const ended = runShutdown({ app, stopListening, readiness, logger, drain_ms, cleanups }, wait);
  if (drain_ms > 0) {
    const { statusCode, body } = await api.app.inject('/readyz');
    expect([statusCode, JSON.parse(body)]).toEqual([503, { status: 'unavailable', reason: 'draining' }]);
    expect((await api.app.inject('/v1/openapi.json')).statusCode).toBe(200);
    expect(steps).toEqual(['wait 5000']);
  }
  endWait();
  await ended;
  expect(steps.filter((step) => step !== 'wait 10000')).toEqual(
    drain_ms > 0 ? ['wait 5000', 'refuse', 'wait 500', 'close', 'afterwards'] : ['refuse', 'close', 'afterwards'],
  );
  await api.close();
});

test('the wait is twelve seconds behind a proxy, none without one, and a setting of its own', () => {
  expect(readEnv({}).DRAIN_S).toBe(0);
  expect(readEnv({ TRUST_PROXY: '1' }).DRAIN_S).toBe(12);
  expect(readEnv({ TRUST_PROXY: '1', DRAIN_S: '0' }).DRAIN_S).toBe(0);
  expect(readEnv({ DRAIN_S: '30' }).DRAIN_S).toBe(30);
});
