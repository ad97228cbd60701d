import type { Settings } from '@sendlap/contract/users.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTab, NORA, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { applySettings, getSettingsQuery } from './settings.ts';

const SETTINGS: Settings = {
  display_name: 'Nora',
  boards: true,
  presence: false,
  notifications: { messages: true, friends: true, proofs: true, show_text: false, quiet_hours: null },
};

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
/** The server builds a read's reply before this delay, and sends it after. */
let delay: Promise<void>;

vi.mock('../api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
}));

beforeEach(() => {
  delay = Promise.resolve();
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  tab = createTab({
    async 'GET /v1/users/settings'() {
      await delay;
      return reply(SETTINGS);
    },
  });
  tab.token.set(tokenOf(NORA.id), 600);
});

const shown = () => queries.getQueryData(getSettingsQuery(NORA.id).queryKey)?.boards;

test.each(['the first', 'another'])(
  '%s read that a change overtakes does not bring back the previous state',
  async (read) => {
    const answered = Promise.withResolvers<void>();
    if (read === 'another') await queries.fetchQuery(getSettingsQuery(NORA.id));
    delay = answered.promise;
    new QueryObserver(queries, { ...getSettingsQuery(NORA.id), refetchOnMount: 'always' }).subscribe(() => {});
    await vi.waitFor(() => expect(tab.sent).toHaveLength(read === 'another' ? 2 : 1));
    await applySettings(queries, NORA.id, { ...SETTINGS, boards: false });
    expect(shown()).toBe(false);
    answered.resolve();
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
    await runTurns();
    expect(shown()).toBe(false);
  },
);
