import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { changeLanguage, startI18n } from './i18n.ts';
import { useErrorText } from './use-error-text.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
});

function Words({ error }: { error: unknown }) {
  return useErrorText()(error);
}

async function say(language: 'en' | 'es', error: unknown): Promise<string> {
  await changeLanguage(language);
  return renderToStaticMarkup(<Words error={error} />).replaceAll('&#x27;', "'");
}

const limited = (retry_after_s?: number) =>
  new ApiError({
    code: 'HTTP_ERROR',
    status: 429,
    backend_error: 'too_many_requests',
    ...(retry_after_s ? { retry_after_s } : {}),
  });

test.each([undefined, 1, 60])('a limit that ends in a moment (%s s) asks to wait one', async (wait_s) => {
  expect(await say('en', limited(wait_s))).toContain('Wait a moment');
  expect(await say('es', limited(wait_s))).toContain('Espera un momento');
});

test('a limit of hours says from when on it can be tried again', async () => {
  expect(await say('en', limited(3 * 3_600))).toBe('That is the limit for now. Try again in 3 hours.');
  expect(await say('es', limited(3 * 3_600))).toBe(
    'Has llegado al límite por ahora. Inténtalo de nuevo dentro de 3 horas.',
  );
});

test('an error that is no limit keeps its own text, however long the Retry-After', async () => {
  const error = new ApiError({ code: 'HTTP_ERROR', status: 503, backend_error: 'unavailable', retry_after_s: 7_200 });
  expect(await say('en', error)).toContain('busy');
});

const failed = (status: number, backend_error: string, request_id: string | null) =>
  new ApiError({ code: 'HTTP_ERROR', status, backend_error, request_id });

test.each([
  [500, 'internal_error'],
  [503, 'unavailable'],
  [400, 'bad_request'],
])('an error that only the operator can mend (%s %s) ends with the id of its request', async (status, code) => {
  const error = failed(status, code, '5f0a1b2c3d4e');
  expect(await say('en', error)).toMatch(/\. To report this, quote request 5f0a1b2c3d4e\.$/);
  expect(await say('es', error)).toMatch(/\. Para avisar de este fallo, da el número de petición: 5f0a1b2c3d4e\.$/);
});

test.each([
  ['a refusal of what the user did', failed(409, 'friend_limit_reached', '5f0a1b2c3d4e')],
  ['an error without an id', failed(500, 'internal_error', null)],
  ['an id that could be a text of others', failed(500, 'internal_error', 'call +34 900 000 000')],
  ['no answer at all', new ApiError({ code: 'NETWORK_ERROR', status: 0 })],
])('%s has no id to quote', async (_what, error) => {
  expect(await say('en', error)).not.toMatch(/quote|900|5f0a/);
});
