import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { loadServerOffset, saveServerOffset } from './server-offset.ts';
import { deleteSession } from './session-key.ts';

test('the offset of the clock stays on the device when its user signs out', async () => {
  expect(await loadServerOffset()).toBeNull();
  await saveServerOffset('{}');
  await deleteSession();
  expect(await loadServerOffset()).toBe('{}');
});
