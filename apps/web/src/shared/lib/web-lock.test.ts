import { expect, test } from 'vitest';
import { createWebLock } from './web-lock.ts';

test('without Web Locks a run waits for the one before it, also if that fails', async () => {
  const lock = createWebLock('name', undefined);
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const failing = lock.run(async () => {
    await first.promise;
    order.push('first');
    throw new Error('the disk is full');
  });
  const second = lock.run(async () => order.push('second'));
  first.resolve();
  await expect(failing).rejects.toThrow('the disk is full');
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('work for a free lock is skipped while another holds it', async () => {
  const mine = createWebLock('skipped', navigator.locks);
  const other = createWebLock('skipped', navigator.locks);
  let runs = 0;
  const count = async () => {
    runs += 1;
  };
  expect(await other.run(() => mine.runIfFree(count))).toBe(false);
  expect(await mine.runIfFree(count)).toBe(true);
  expect(runs).toBe(1);
});
