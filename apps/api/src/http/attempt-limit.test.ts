import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { openPatientDatabase } from '#test/database/patient-database.ts';
import { addressKey, createAttemptLimit, createAttemptPruning } from './attempt-limit.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());
afterEach(() => vi.useRealTimers());

const limitOf = (max: number, name = randomUUID(), database = own.database) =>
  createAttemptLimit(database, { name, max });

/** Fakes only the clock: the timers that the database needs stay real. */
function stopClock(): number {
  vi.useFakeTimers({ toFake: ['Date'] });
  return Date.now();
}

test('two nodes count together, and so does one that starts afterwards', async () => {
  const name = randomUUID();
  const [here, there] = [limitOf(5, name), limitOf(5, name)];
  for (const node of [here, there, here, there, here]) expect(await node.tryConsume('ada')).toBe(true);
  expect([await here.tryConsume('ada'), await there.tryConsume('ada'), await here.tryConsume('bea')]).toEqual([
    false,
    false,
    true,
  ]);
  const later = openPatientDatabase(own.url);
  expect(await limitOf(5, name, later).tryConsume('ada')).toBe(false);
  await later.destroy();
});

test('of many concurrent attempts only as many as allowed pass', async () => {
  const limit = limitOf(5);
  const passed = await Promise.all(Array.from({ length: 20 }, () => limit.tryConsume('ada')));
  expect(passed.filter(Boolean)).toHaveLength(5);
});

test('a window is over a minute after its first attempt, however many followed', async () => {
  const begun_ms = stopClock();
  const limit = limitOf(1);
  expect(await limit.tryConsume('ada')).toBe(true);
  vi.setSystemTime(begun_ms + 59_999);
  expect(await limit.tryConsume('ada')).toBe(false);
  vi.setSystemTime(begun_ms + 60_001);
  expect(await limit.tryConsume('ada')).toBe(true);
});

test('a refused attempt is told how long its window goes on', async () => {
  const begun_ms = stopClock();
  const limit = limitOf(1);
  expect(await limit.consume('ada')).toBeUndefined();
  vi.setSystemTime(begun_ms + 20_000);
  expect(await limit.consume('ada')).toBe(40_000);
  vi.setSystemTime(begun_ms + 60_001);
  expect(await limit.consume('ada')).toBeUndefined();
});

test('a refund takes back one attempt of the window, and leaves no credit once the window is over', async () => {
  const begun_ms = stopClock();
  const limit = limitOf(1);
  const tryThree = async () => [
    await limit.tryConsume('ada'),
    await limit.tryConsume('ada'),
    await limit.tryConsume('ada'),
  ];
  expect(await tryThree()).toEqual([true, false, false]);
  for (let count = 0; count < 3; count += 1) await limit.refund('ada');
  expect(await tryThree()).toEqual([true, false, false]);
  vi.setSystemTime(begun_ms + 60_001);
  await limit.refund('ada');
  await limit.refund('bea');
  expect(await tryThree()).toEqual([true, false, false]);
  expect([await limit.tryConsume('bea'), await limit.tryConsume('bea')]).toEqual([true, false]);
});

test('a cleared key counts from zero, and limits of other names keep their counts', async () => {
  const [limit, other] = [limitOf(1), limitOf(1)];
  for (const one of [limit, other]) await one.tryConsume('ada');
  await limit.reset('ada');
  expect([await limit.tryConsume('ada'), await other.tryConsume('ada')]).toEqual([true, false]);
});

test('a count is removed once its window is over, and holds no key that could be read', async () => {
  const readKeys = async () =>
    (await own.database.selectFrom('attempt_counts').select('key').execute()).map(({ key }) => key);
  const begun_ms = stopClock();
  const name = randomUUID();
  await limitOf(1, name).tryConsume('ada@example.org');
  const [key] = (await readKeys()).filter((one) => one.startsWith(name));
  expect(key).toMatch(/:[\w-]{43}$/);
  const pruning = createAttemptPruning({ database: own.database, log: { warn() {} } });
  await pruning.run();
  expect(await readKeys()).toContain(key);
  vi.setSystemTime(begun_ms + 60_001);
  await pruning.run();
  expect(await readKeys()).not.toContain(key);
});

test('counts a whole /64 of IPv6 as one, and IPv4 by address', () => {
  expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::9'));
  expect(addressKey('2001:db8:1:2::9')).not.toBe(addressKey('2001:db8:1:3::9'));
  expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0');
  expect(addressKey('::1')).toBe('0:0:0:0');
  expect(addressKey('192.0.2.1')).toBe('192.0.2.1');
  expect(addressKey('::ffff:192.0.2.1')).not.toBe(addressKey('::ffff:192.0.2.2'));
});
