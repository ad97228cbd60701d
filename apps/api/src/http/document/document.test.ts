import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { GENERAL_ERRORS, listErrors } from '@sendlap/contract/wire/endpoint-errors.ts';
import { ERROR_STATUS, type ErrorCode, Failure } from '@sendlap/contract/wire/errors.ts';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from '#api/platform/errors.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { watchErrorCodes } from '#test/app/declared-errors.ts';
import { listEndpoints } from '#test/app/endpoints.ts';
import { installErrorHandler } from '../error-replies.ts';
import type { ApiDocument, DocumentedReply, Operation } from './json-schema.ts';

let api: TestApp;
let document: ApiDocument;
const endpoints = await listEndpoints();
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

beforeAll(async () => {
  api = await buildTestApp();
  document = (await api.app.inject({ url: '/v1/openapi.json' })).json();
});
afterAll(() => api.close());

const WINDOWS: Record<number, string> = { 60: 'minute', 3600: 'hour', 86400: 'day' };
const COUNTED_BY: Record<Endpoint['access'], string> = {
  user: 'user',
  operator: 'user',
  manager: 'user',
  kiosk: 'kiosk',
  cookie: 'session, or IP address',
  anyone: 'IP address',
};

function operationOf({ method, path }: Endpoint): Operation {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

function parametersOf({ parameters = [] }: Operation, where: 'path' | 'query'): object {
  const shown = parameters.filter((each) => each.in === where && each.example !== undefined);
  return Object.fromEntries(shown.map(({ name, example }) => [name, example]));
}

const jsonOf = (reply: DocumentedReply | undefined) => reply?.content?.['application/json'];

describe.each(named)('%s', (_name, endpoint) => {
  test('has an example of its request that the contract accepts', () => {
    const operation = operationOf(endpoint);
    const body = operation.requestBody?.content['application/json']?.example;
    z.parse(endpoint.params ?? z.strictObject({}), parametersOf(operation, 'path'));
    z.parse(endpoint.query ?? z.strictObject({}), parametersOf(operation, 'query'));
    expect(body === undefined).toBe(endpoint.body === undefined);
    if (endpoint.body) z.parse(endpoint.body, body);
  });

  test('has an example of its reply that the contract leaves as it is', () => {
    const example = jsonOf(operationOf(endpoint).responses[endpoint.status ?? 200])?.example as {
      success: true;
      data: unknown;
    };
    expect(example.success).toBe(true);
    expect(z.parse(endpoint.data, example.data)).toEqual(example.data);
  });

  test('has its rate limit, in words and as numbers, or none', () => {
    const { description, 'x-rate-limit': shown } = operationOf(endpoint);
    const { limit } = endpoint;
    const counted_by = COUNTED_BY[endpoint.access];
    expect(shown).toEqual(limit && { ...limit, counted_by });
    const words = limit && `At most ${limit.max} calls per ${WINDOWS[limit.window_s]} and ${counted_by};`;
    expect(description?.slice(0, words?.length)).toBe(words);
  });

  test('has each of its error codes, with its status and shape', () => {
    const { responses } = operationOf(endpoint);
    for (const code of listErrors(endpoint)) {
      const example = jsonOf(responses[ERROR_STATUS[code]])?.examples?.[code]?.value;
      expect(z.parse(Failure, example)).toEqual(example);
      expect(example).toMatchObject({ code });
    }
    expect(responses.default).toEqual({ $ref: '#/components/responses/General' });
  });
});

test('the stream of events has an example of one event', () => {
  const [, data = ''] =
    /^data: (.*)$/m.exec(
      document.paths[EVENTS_PATH]?.get?.responses['200']?.content?.['text/event-stream']?.example as string,
    ) ?? [];
  expect(z.parse(LiveEvent, JSON.parse(data))).toEqual(JSON.parse(data));
});

test('the codes of any call are in the document once', () => {
  const { responses } = document.components as { responses: Record<string, DocumentedReply> };
  expect(Object.keys(jsonOf(responses.General)?.examples ?? {})).toEqual([...GENERAL_ERRORS]);
});

test('every error code of the contract belongs to a call, or is one of those that no call has', () => {
  const of_calls = new Set<string>([...GENERAL_ERRORS, ...endpoints.flatMap(listErrors)]);
  const others = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => !of_calls.has(code));
  expect(others.toSorted()).toEqual(
    [
      // Of addresses that are no call.
      'method_not_allowed',
      // A client of this wire signs in again on any 403; the server sends none.
      'reauthentication_required',
      // Only of a queued op or of an activity's `proof_note`.
      'activity_not_decided',
      'payload_mismatch',
      'venue_code_late',
      'venue_codes_shared',
      'venue_installation_shared',
      'venue_other_center',
      'venue_scan_missing',
    ].toSorted(),
  );
});

test('an app whose call refuses with a code that the contract does not list for it says so at its end', async () => {
  const app = Fastify();
  installErrorHandler(app);
  const refuse = () => Promise.reject(new AppError('chat_not_found', 'Chat not found'));
  const schema = (codes: ErrorCode[]) => ({ schema: { 'x-error-codes': codes } });
  app.get('/listed', schema(['chat_not_found']), refuse);
  app.get('/unlisted', schema(['chat_closed']), refuse);
  const assertErrorsDeclared = watchErrorCodes(app);
  await app.inject('/listed');
  assertErrorsDeclared();
  await app.inject('/unlisted');
  expect(assertErrorsDeclared).toThrow('add to `errors` of the contract: GET /unlisted: chat_not_found');
  await app.close();
});
