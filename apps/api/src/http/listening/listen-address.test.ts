import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { assertCanListen, explainListenError } from './listen-address.ts';

const host = '127.0.0.1';

async function refusalOf(address: { port: number; host: string }): Promise<unknown> {
  return assertCanListen(address).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('a port in use is refused with one line that names PORT, and taken once it is free', async () => {
  const other = createServer().listen(0, host);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const refusal = await refusalOf({ port, host });
  expect(refusal).toMatchObject({ name: 'StartError' });
  expect(String(refusal)).toMatch(new RegExp(`^StartError: PORT: port ${port} on ${host} is taken[^\\n]+$`));
  other.close();
  await once(other, 'close');
  expect(await refusalOf({ port, host })).toBeUndefined();
});

test.each(['203.0.113.7', 'nowhere.invalid'])('an address of another machine, %s, names HOST', async (foreign) => {
  const refusal = await refusalOf({ port: 0, host: foreign });
  expect(refusal).toMatchObject({ name: 'StartError' });
  expect(String(refusal)).toMatch(/^StartError: HOST: [^\n]+$/);
  expect(String(refusal)).toContain(foreign);
});

test('a port that this account may not listen on is refused with a way out', () => {
  const error = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES' });
  expect(explainListenError(error, { port: 80, host })).toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^PORT: this account may not listen on port 80: [^\n]+$/),
  });
});

test('an unforeseen error stays as it is', () => {
  const error = new Error('something else');
  expect(explainListenError(error, { port: 80, host })).toBe(error);
});
