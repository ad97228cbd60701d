import { expect, test } from 'vitest';
import { createEpochs, RequeuedError, watchRequeues } from './watch-requeues.ts';

/** A disk in the epoch `one`. */
function openEpochs() {
  const disk = { epoch: 'one', is_full: false, write_count: 0 };
  let requeue_count = 0;
  const store = {
    async saveEpoch(epoch: string) {
      disk.write_count += 1;
      if (disk.is_full) throw new Error('the disk is full');
      const is_other = epoch !== disk.epoch;
      disk.epoch = epoch;
      return is_other;
    },
    readEpoch: async () => disk.epoch,
  };
  const epochs = createEpochs(store, () => {
    requeue_count += 1;
  });
  return { disk, epochs, requeueCount: () => requeue_count };
}

test('a new epoch is on disk before rows are read or sent', async () => {
  const { epochs, requeueCount } = openEpochs();
  const assertNotRequeued = await watchRequeues(epochs);
  await assertNotRequeued();
  void epochs.saveEpoch('two');
  await expect(assertNotRequeued()).rejects.toBeInstanceOf(RequeuedError);
  expect(requeueCount()).toBe(1);
});

test('a new epoch that a full disk refused is saved before the next rows, and nothing is sent until then', async () => {
  const { disk, epochs, requeueCount } = openEpochs();
  const assertNotRequeued = await watchRequeues(epochs);
  disk.is_full = true;
  await expect(epochs.saveEpoch('two')).rejects.toThrow('full');
  await expect(assertNotRequeued()).rejects.toThrow('full');
  await expect(watchRequeues(epochs)).rejects.toThrow('full');
  disk.is_full = false;
  await expect(assertNotRequeued()).rejects.toBeInstanceOf(RequeuedError);
  expect([await epochs.readEpoch(), disk.epoch, requeueCount()]).toEqual(['two', 'two', 1]);
});

test('a full disk that has the epoch already does not stop the sending', async () => {
  const { disk, epochs } = openEpochs();
  disk.is_full = true;
  await expect(epochs.saveEpoch('one')).rejects.toThrow('full');
  await (await watchRequeues(epochs))();
  expect(disk.write_count).toBe(1);
});
