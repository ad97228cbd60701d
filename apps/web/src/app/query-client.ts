import { QueryClient } from '@tanstack/react-query';
import { session } from '#web/shared/api/client.ts';

const STALE_MS = 300_000;

/**
 * `call` does the retries and says at once when there is no network, so queries run offline too: they then answer
 * from the copies on this device.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_MS, retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

session.onSignedOut(() => queryClient.clear());
