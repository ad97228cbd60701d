import Fastify from 'fastify';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { compileSerializer, compileValidator, NO_QUERY } from './schema-compilers.ts';

const Person = z.object({ name: z.string(), age: z.number() });
const Reply = z.object({ success: z.literal(true), data: z.object({ user: Person }) });
const Either = z.object({ success: z.literal(true), data: z.object({ a: z.optional(Person), b: z.optional(Person) }) });

const route = { schema: Reply, method: 'GET' as const, url: '/', httpStatus: '200' };
const reply = (data: unknown) => ({ success: true, data });

test('a field outside of the schema is never sent, the first time and from memory', () => {
  const serialize = compileSerializer(route);
  const user = Object.freeze({ name: 'Ada', age: 30, password_hash: 'secret' });
  for (let times = 0; times < 3; times += 1) {
    const text = serialize(reply({ user, token: 'secret' }));
    expect(JSON.parse(text)).toEqual({ success: true, data: { user: { name: 'Ada', age: 30 } } });
    expect(serialize(reply({ user }))).toBe(text);
  }
});

test('a reply that does not fit the schema is refused every time', () => {
  const serialize = compileSerializer(route);
  const user = Object.freeze({ name: 'Ada', age: 'thirty' });
  for (let times = 0; times < 2; times += 1) expect(() => serialize(reply({ user }))).toThrow();
  expect(() => serialize(reply(null))).toThrow();
  expect(() => serialize(null)).toThrow();
});

test('only frozen objects are cached', () => {
  const serialize = compileSerializer(route);
  const loose = { name: 'Ada', age: 30 };
  serialize(reply({ user: loose }));
  loose.age = 31;
  expect(serialize(reply({ user: loose }))).toContain('31');

  const Nested = z.object({ success: z.literal(true), data: z.object({ list: z.array(Person) }) });
  const serializeList = compileSerializer({ ...route, schema: Nested });
  const list = Object.freeze([loose]);
  serializeList(reply({ list }));
  loose.age = 32;
  expect(serializeList(reply({ list }))).toContain('32');
});

test('one object under two names, and in two endpoints, has the text of each', () => {
  const serialize = compileSerializer({ ...route, schema: Either });
  const ada = Object.freeze({ name: 'Ada', age: 30 });
  expect(JSON.parse(serialize(reply({ a: ada }))).data).toEqual({ a: { name: 'Ada', age: 30 } });
  expect(JSON.parse(serialize(reply({ b: ada }))).data).toEqual({ b: { name: 'Ada', age: 30 } });
  const Short = z.object({ success: z.literal(true), data: z.object({ a: z.object({ name: z.string() }) }) });
  const short = compileSerializer({ ...route, schema: Short });
  expect(JSON.parse(short(reply({ a: ada }))).data).toEqual({ a: { name: 'Ada' } });
});

test('a call without a query takes none', async () => {
  const app = Fastify();
  app.setValidatorCompiler(compileValidator);
  app.get('/', { schema: { querystring: NO_QUERY } }, async ({ query }) => ({ query }));
  expect((await app.inject('/?x=1')).statusCode).toBe(400);
  expect((await app.inject('/?__proto__=1')).statusCode).toBe(400);
  expect((await app.inject('/')).json()).toEqual({ query: {} });
  await app.close();
});
