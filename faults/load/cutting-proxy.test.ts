import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCuttingProxy } from './cutting-proxy.ts';

let served = 0;
const server = createServer((_call, reply) => {
  served += 1;
  reply.end('done');
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)));
afterAll(() => server.close());

const ask = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text();
const serverPort = () => (server.address() as AddressInfo).port;

test('A cut reply never arrives, although the server has done the work', async () => {
  const proxy = await startCuttingProxy(serverPort(), 1);
  const before = served;
  await expect(ask(proxy.port)).rejects.toThrow();
  expect(served - before).toBe(1);
  expect(proxy.cuts()).toBe(1);
  await proxy.close();
});

test('Without cuts every reply passes, late ones too', async () => {
  const proxy = await startCuttingProxy(serverPort(), 0, 5);
  expect(await Promise.all([ask(proxy.port), ask(proxy.port)])).toEqual(['done', 'done']);
  expect(proxy.cuts()).toBe(0);
  await proxy.close();
});
