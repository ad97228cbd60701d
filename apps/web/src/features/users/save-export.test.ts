import { expect, test } from 'vitest';
import { readRefusal } from '#web/shared/api/request.ts';
import { saveExport } from './save-export.ts';

const PATH = '/v1/users/me/export';

/** A download that waits for its answer, in a session whose user can change. */
function startDownload() {
  let user: { id: string } | null = { id: 'ana' };
  const listeners = new Set<() => void>();
  const answer = Promise.withResolvers<Response>();
  const started = Promise.withResolvers<AbortSignal | null | undefined>();
  const left = new AbortController();
  const saved: string[] = [];
  const tokens: (string | null)[] = [];
  const done = saveExport(PATH, {
    base: '',
    token: async (refused) => (refused ? 'second' : 'first'),
    handleRefusal: (response) => readRefusal(response, ''),
    fetch: (_, init) => {
      tokens.push(new Headers(init?.headers).get('authorization'));
      started.resolve(init?.signal);
      return answer.promise;
    },
    session: {
      getState: () => ({ user }),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    unmount_signal: left.signal,
    save: (_, name) => void saved.push(name),
  });
  const setUser = (next: typeof user) => {
    user = next;
    for (const listener of listeners) listener();
  };
  return { done, setUser, answer, started: started.promise, left, saved, tokens, listeners };
}

const file = () => new Response('{}', { headers: { 'content-disposition': 'attachment; filename="ana.json"' } });

test.each([
  ['no user', null],
  ['another user', { id: 'bo' }],
])('a file that comes when %s is signed in by then is not saved, and its download is ended', async (_, next) => {
  const { done, setUser, answer, started, saved } = startDownload();
  const signal = await started;
  setUser(next);
  expect(signal?.aborted).toBe(true);
  answer.resolve(file());
  expect([await done, saved]).toEqual([null, []]);
});

test('a user who signs in again does not get the earlier file', async () => {
  const { done, setUser, answer, started, saved } = startDownload();
  await started;
  setUser(null);
  setUser({ id: 'ana' });
  answer.resolve(file());
  expect([await done, saved]).toEqual([null, []]);
});

test('a refused download is not repeated with the token of the next user', async () => {
  const { done, setUser, answer, started, tokens } = startDownload();
  await started;
  setUser({ id: 'bo' });
  answer.resolve(new Response('{}', { status: 401 }));
  expect([await done, tokens]).toEqual([null, ['Bearer first']]);
});

test('leaving the screen cancels the download silently', async () => {
  const { done, answer, started, left, saved } = startDownload();
  const signal = await started;
  left.abort();
  expect(signal?.aborted).toBe(true);
  answer.reject(new DOMException('aborted', 'AbortError'));
  expect([await done, saved]).toEqual([null, []]);
});

test('a failure is shown while the user is still there', async () => {
  const { done, answer } = startDownload();
  answer.reject(new TypeError('Failed to fetch'));
  await expect(done).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
});

test('a user who stays signed in gets the file, and no listener is left', async () => {
  const { done, setUser, answer, started, saved, listeners } = startDownload();
  await started;
  setUser({ id: 'ana' });
  answer.resolve(file());
  expect([await done, saved, listeners.size]).toEqual(['ana.json', ['ana.json'], 0]);
});
