import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '#api/platform/version.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { listBreakingChanges } from '#test/document/breaking-changes.ts';
import { readKeptDocument, writeKeptDocument } from '#test/document/kept-document.ts';
import type { ApiDocument, JsonSchema, Operation } from './json-schema.ts';

let api: TestApp;
let document: ApiDocument;

beforeAll(async () => {
  api = await buildTestApp();
  document = (await api.app.inject({ url: '/v1/openapi.json' })).json();
});
afterAll(() => api.close());

test('clients of the last release can use this one; RECORD_API=1 keeps this one as the last release', () => {
  if (process.env.RECORD_API === '1') writeKeptDocument(document);
  expect(listBreakingChanges(readKeptDocument(), document)).toEqual([]);
});

test('the kept release is no later one', () => {
  const { version } = readKeptDocument().info;
  expect([version, VERSION].sort(new Intl.Collator('en', { numeric: true }).compare)).toEqual([version, VERSION]);
});

function bodyOf(operation: Operation | undefined): JsonSchema {
  return operation?.requestBody?.content['application/json']?.schema ?? {};
}

function dataOf(operation: Operation | undefined): JsonSchema {
  return (
    (operation?.responses['200'] ?? operation?.responses['201'])?.content?.['application/json']?.schema.properties
      ?.data ?? {}
  );
}

function fieldsOf({ properties }: JsonSchema): Record<string, JsonSchema> {
  if (!properties) throw new Error('this schema has no fields');
  return properties;
}

type Change = (paths: ApiDocument['paths']) => void;

const sendMessage = (paths: ApiDocument['paths']) => paths['/v1/chats/{chat_id}/messages']?.post;
const startActivity = (paths: ApiDocument['paths']) => paths['/v1/activities']?.post;
const getSettings = (paths: ApiDocument['paths']) => paths['/v1/users/settings']?.get;
const listBoard = (paths: ApiDocument['paths']) => paths['/v1/leaderboards']?.get;

const BREAKING: [string, Change, string][] = [
  ['a call is removed', (paths) => void delete paths['/v1/chats']?.post, 'POST /v1/chats: removed'],
  ['an address is removed', (paths) => void delete paths['/v1/badges'], 'GET /v1/badges: removed'],
  [
    'a call needs a token',
    (paths) => Object.assign(paths['/v1/places/search']?.get ?? {}, { security: [{ bearer: [] }] }),
    'GET /v1/places/search: needs a token',
  ],
  [
    'a call needs a body',
    (paths) => Object.assign(paths['/v1/auth/logout']?.post ?? {}, { requestBody: startActivity(paths)?.requestBody }),
    'POST /v1/auth/logout: body required',
  ],
  [
    'a parameter is removed',
    (paths) => void listBoard(paths)?.parameters?.splice(0, 1),
    'GET /v1/leaderboards: parameter period removed',
  ],
  [
    'a parameter is required',
    (paths) => Object.assign(listBoard(paths)?.parameters?.[0] ?? {}, { required: true }),
    'GET /v1/leaderboards: parameter period required',
  ],
  [
    'a field of a request is removed',
    (paths) => void delete fieldsOf(bodyOf(startActivity(paths))).intensity,
    'POST /v1/activities: body.intensity removed',
  ],
  [
    'an optional field of a request is required',
    (paths) => void bodyOf(startActivity(paths)).required?.push('intensity'),
    'POST /v1/activities: body.intensity required',
  ],
  [
    'a new field of a request is required',
    (paths) => {
      fieldsOf(bodyOf(sendMessage(paths))).tone = { type: 'string' };
      bodyOf(sendMessage(paths)).required?.push('tone');
    },
    'POST /v1/chats/{chat_id}/messages: body.tone required',
  ],
  [
    'a value of a request is removed',
    (paths) => void fieldsOf(bodyOf(startActivity(paths))).intensity?.enum?.shift(),
    'POST /v1/activities: body.intensity: easy removed',
  ],
  [
    'a field of a request has another type',
    (paths) => Object.assign(fieldsOf(bodyOf(sendMessage(paths))).message ?? {}, { type: 'number' }),
    'POST /v1/chats/{chat_id}/messages: body.message is number instead of string',
  ],
  [
    'a limit of a request is lower',
    (paths) => Object.assign(fieldsOf(bodyOf(sendMessage(paths))).message ?? {}, { maxLength: 100 }),
    'POST /v1/chats/{chat_id}/messages: body.message: maxLength 100 instead of undefined',
  ],
  [
    'a request may no longer have null',
    (paths) => {
      fieldsOf(bodyOf(paths['/v1/server']?.patch)).name = { type: 'string' };
    },
    'PATCH /v1/server: body.name is no longer null',
  ],
  [
    'a kind of a request is removed',
    (paths) => void fieldsOf(bodyOf(paths['/v1/activities/sync']?.post)).ops?.items?.oneOf?.splice(2, 1),
    'POST /v1/activities/sync: body.ops[].kind: reopen removed',
  ],
  [
    'a field of a reply is removed',
    (paths) => void delete fieldsOf(dataOf(getSettings(paths))).boards,
    'GET /v1/users/settings: reply.data.boards removed',
  ],
  [
    'a field of a reply may be missing',
    (paths) => void dataOf(getSettings(paths)).required?.shift(),
    'GET /v1/users/settings: reply.data.display_name may be missing',
  ],
  [
    'a field of a reply may be null',
    (paths) => {
      fieldsOf(dataOf(getSettings(paths))).boards = { anyOf: [{ type: 'boolean' }, { type: 'null' }] };
    },
    'GET /v1/users/settings: reply.data.boards may be null',
  ],
  [
    'a value of a reply is removed',
    (paths) => void fieldsOf(dataOf(startActivity(paths))).status?.enum?.pop(),
    'POST /v1/activities: reply.data.status: deleted removed',
  ],
  [
    'a field of a reply has another type',
    (paths) => Object.assign(fieldsOf(dataOf(startActivity(paths))).points ?? {}, { type: 'string' }),
    'POST /v1/activities: reply.data.points is string instead of number',
  ],
  [
    'a code has another status',
    (paths) => {
      const responses = sendMessage(paths)?.responses ?? {};
      responses['410'] = responses['404'] ?? { description: '' };
      delete responses['404'];
    },
    'POST /v1/chats/{chat_id}/messages: chat_not_found: status 410 instead of 404',
  ],
];

const COMPATIBLE: [string, Change][] = [
  ['a new call', (paths) => Object.assign(paths, { '/v1/new': paths['/v1/badges'] })],
  [
    'a new optional field of a request',
    (paths) => Object.assign(fieldsOf(bodyOf(sendMessage(paths))), { tone: { type: 'string' } }),
  ],
  ['a new value of a request', (paths) => void fieldsOf(bodyOf(startActivity(paths))).intensity?.enum?.push('extreme')],
  ['a field of a request that is no longer required', (paths) => void bodyOf(startActivity(paths)).required?.pop()],
  [
    'a new field of a reply',
    (paths) => Object.assign(fieldsOf(dataOf(getSettings(paths))), { tone: { type: 'string' } }),
  ],
  ['a call that needs no token any longer', (paths) => void delete paths['/v1/badges']?.get?.security],
  ['a refusal that is gone', (paths) => void delete sendMessage(paths)?.responses['422']],
];

/** Returns the breaking changes that a change of a copy makes. */
function findAfter(change: Change): string[] {
  const changed = structuredClone(document);
  change(changed.paths);
  expect(changed).not.toEqual(document);
  return listBreakingChanges(document, changed);
}

test.each(BREAKING)('it is found that %s', (_name, change, line) => {
  expect(findAfter(change)).toEqual([line]);
});

test.each(COMPATIBLE)('%s breaks no client', (_name, change) => {
  expect(findAfter(change)).toEqual([]);
});
