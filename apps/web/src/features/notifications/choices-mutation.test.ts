import type { NotificationChoices, Settings } from '@sendlap/contract/users.ts';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTab, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { getSettingsQuery } from '#web/shared/data/settings.ts';
import { choicesMutation } from './choices-mutation.ts';

const CHOICES: NotificationChoices = {
  messages: true,
  friends: true,
  proofs: true,
  show_text: false,
  quiet_hours: null,
};
const NIGHT = { from: '22:00', until: '07:00', time_zone: 'Europe/Madrid' };
/** Changed on another device since this one loaded it. */
const ELSEWHERE = { ...CHOICES, messages: false };

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
let kept: NotificationChoices;
/** The changes sent to the server, one per request, and the functions that answer the requests. */
let asked: Partial<NotificationChoices>[];
let answers: ((is_taken: boolean) => void)[];

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
}));

const settingsOf = (notifications: NotificationChoices): Settings => ({
  display_name: 'Nora',
  boards: true,
  presence: false,
  notifications,
});

beforeEach(() => {
  [kept, asked, answers] = [ELSEWHERE, [], []];
  queries = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
  queries.setQueryData(getSettingsQuery(NORA.id).queryKey, settingsOf(CHOICES));
  tab = createTab({
    async 'PATCH /v1/users/settings'(request) {
      const { notifications } = await request.json();
      asked.push(notifications);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answers.push(resolve);
      if (!(await promise)) return refusal(500, 'internal_error');
      kept = { ...kept, ...notifications };
      return reply(settingsOf(kept));
    },
  });
  tab.token.set(tokenOf(NORA.id), 600);
});

function openCard() {
  const observer = new MutationObserver(queries, choicesMutation(queries, NORA.id));
  return {
    /** Resolves once the request is answered, with whether the server accepted the change. */
    choose: (changes: Partial<NotificationChoices>) =>
      observer.mutate(changes).then(
        () => true,
        () => false,
      ),
  };
}

const untilAsked = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times));
const shown = () => queries.getQueryData(getSettingsQuery(NORA.id).queryKey)?.notifications;

test('a change that fails is reported, and not sent again with the next one', async () => {
  const { choose } = openCard();
  const failed = choose({ proofs: false });
  await untilAsked(1);
  answers[0]?.(false);
  expect(await failed).toBe(false);
  const saved = choose({ friends: false });
  await untilAsked(2);
  answers[1]?.(true);
  expect(await saved).toBe(true);
  expect(asked).toEqual([{ proofs: false }, { friends: false }]);
});

test('a change that fails while a later one waits is sent with it, and the later choice wins', async () => {
  const { choose } = openCard();
  const failed = choose({ proofs: false, show_text: true });
  await untilAsked(1);
  const saved = choose({ friends: false, show_text: false });
  answers[0]?.(false);
  expect(await failed).toBe(false);
  await untilAsked(2);
  answers[1]?.(true);
  expect(await saved).toBe(true);
  expect(asked[1]).toEqual({ proofs: false, friends: false, show_text: false });
});

test('only choices changed here are sent, and those changed elsewhere are shown then', async () => {
  const saved = openCard().choose({ friends: false });
  await untilAsked(1);
  answers[0]?.(true);
  expect(await saved).toBe(true);
  expect(asked).toEqual([{ friends: false }]);
  expect(shown()).toEqual({ ...ELSEWHERE, friends: false });
});

test('queued changes are sent together, without those saved before', async () => {
  const { choose } = openCard();
  const all = [choose({ proofs: false })];
  await untilAsked(1);
  all.push(choose({ friends: false }), choose({ quiet_hours: NIGHT }), choose({ friends: true }));
  answers[0]?.(true);
  await untilAsked(2);
  answers[1]?.(true);
  expect(await Promise.all(all)).toEqual([true, true, true, true]);
  expect(asked).toEqual([{ proofs: false }, { friends: true, quiet_hours: NIGHT }]);
  expect(shown()).toEqual({ ...ELSEWHERE, proofs: false, quiet_hours: NIGHT });
});
