import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refereeRightsQuery } from './referee-rights.ts';

const { call, saveMetadata } = vi.hoisted(() => ({ call: vi.fn(), saveMetadata: vi.fn(async () => true) }));
vi.mock('../api/client.ts', () => ({ call }));
vi.mock('../copies/metadata.ts', () => ({ saveMetadata, loadMetadata: async () => undefined }));

const RIGHT = { sport_center_id: 'pool' };

test('a reply that comes after that of a later call is not copied to the device', async () => {
  const client = new QueryClient();
  const [older, newer] = [Promise.withResolvers(), Promise.withResolvers()];
  call.mockReturnValueOnce(older.promise).mockReturnValueOnce(newer.promise);
  const both = [client.fetchQuery(refereeRightsQuery('ana')), new QueryClient().fetchQuery(refereeRightsQuery('ana'))];
  newer.resolve({ items: [RIGHT] });
  await both[1];
  older.resolve({ items: [] });
  await both[0];
  expect(saveMetadata.mock.calls).toEqual([['referee_rights:ana', [RIGHT], 'ana']]);
});
