import { getMe } from '@sendlap/contract/auth.ts';
import { expect, test } from 'vitest';
import { createTab, NORA, refusal, reply } from '#test/unit/fake-server.ts';

const ME = 'GET /v1/auth/me';

test.each([
  ['no network', () => new TypeError('Failed to fetch'), false],
  ['a server that is busy', () => refusal(503, 'unavailable'), false],
  ['a refusal', () => refusal(404, 'not_found'), true],
  ['too many', () => refusal(429, 'too_many_requests'), true],
])('after %s the server counts as reached or not, and after an answer as reached', async (_, failure, reached) => {
  let fails = true;
  const tab = createTab({ [ME]: () => (fails ? failure() : reply({ user: NORA })) });
  // Offline, so that the call does not wait for retries.
  tab.device.online = false;
  tab.token.set('t', 600);
  const heard: boolean[] = [];
  tab.reachability.subscribe(() => heard.push(tab.reachability.isReached()));
  await tab.call(getMe, {}).catch(() => {});
  expect(tab.reachability.isReached()).toBe(reached);
  fails = false;
  await tab.call(getMe, {});
  expect(tab.reachability.isReached()).toBe(true);
  expect(heard).toEqual(reached ? [] : [false, true]);
});
