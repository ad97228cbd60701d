import { expect, test } from 'vitest';
import { refusal } from '#test/unit/fake-server.ts';
import { readRefusal } from '#web/shared/api/request.ts';
import { type DownloadDeps, downloadExport } from './download-export.ts';

const PATH = '/v1/users/me/export';

/** A server that returns these answers in order. */
function createServer(answers: (Response | Error)[]) {
  const sent: (string | null)[] = [];
  const deps: DownloadDeps = {
    base: '',
    token: async (refused) => (refused ? 'second' : 'first'),
    handleRefusal: (response) => readRefusal(response, ''),
    async fetch(_, init) {
      sent.push(new Headers(init?.headers).get('authorization'));
      const answer = answers.shift();
      if (!answer || answer instanceof Error) throw answer ?? new Error('not expected');
      return answer;
    },
  };
  return { deps, sent };
}

const file = (name?: string) =>
  new Response('{"user":{}}', { headers: name ? { 'content-disposition': `attachment; filename="${name}"` } : {} });

test('without a signed-in user no request is sent', async () => {
  const { deps, sent } = createServer([]);
  await expect(downloadExport(PATH, { ...deps, token: async () => null })).rejects.toMatchObject({
    code: 'AUTH_REQUIRED',
  });
  expect(sent).toEqual([]);
});

test('a refusal carries its status and the code of the server', async () => {
  const { deps } = createServer([refusal(429, 'too_many_requests')]);
  await expect(downloadExport(PATH, deps)).rejects.toMatchObject({ status: 429, backend_error: 'too_many_requests' });
});

test('a token that the server no longer takes is replaced once', async () => {
  const once = createServer([refusal(401, 'unauthenticated'), file()]);
  await downloadExport(PATH, once.deps);
  expect(once.sent).toEqual(['Bearer first', 'Bearer second']);
  const twice = createServer([refusal(401, 'unauthenticated'), refusal(401, 'unauthenticated')]);
  await expect(downloadExport(PATH, twice.deps)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
});

test('no network, and a file that breaks off, are failures and no file', async () => {
  const none = createServer([new TypeError('Failed to fetch')]);
  await expect(downloadExport(PATH, none.deps)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  const cut = createServer([new Response(broken)]);
  await expect(downloadExport(PATH, cut.deps)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
});

test.each([
  ['sendlap-nora.json', 'sendlap-nora.json'],
  ['../../etc/passwd', 'passwd'],
  [undefined, 'sendlap-export.json'],
])('a file that the server calls %s is saved as %s', async (told, saved) => {
  const { name, file: content } = await downloadExport(PATH, createServer([file(told)]).deps);
  expect([name, await content.text()]).toEqual([saved, '{"user":{}}']);
});
