import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { testUnlessMissing } from '#test/skip-without.ts';
import { createRedirectingFetch, SourceUnusable } from './redirects.ts';

const asked = () => ({ headers: {}, signal: AbortSignal.timeout(60_000) });
// macOS answers only at 127.0.0.1.
const needs = process.platform === 'darwin' ? 'an answer at 127.0.0.2' : undefined;

/** A host at an address of this machine; redirects a path that contains an address to that address. */
async function openHost(address: string) {
  const answer = vi.fn<RequestListener>(({ url = '' }, response) => {
    const location = decodeURIComponent(url.slice(1));
    if (location) response.writeHead(302, { location }).end();
    else response.end('a map');
  });
  const server = createServer(answer);
  await once(server.listen(0, address), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, answer };
}

/** A network with 127.0.0.1 as the outside and 127.0.0.2 as the inside. */
async function openNetwork(names: Record<string, string[][]> = {}) {
  const outside = await openHost('127.0.0.1');
  const inside = await openHost('127.0.0.2');
  const follow = createRedirectingFetch({
    isPublic: (address) => address === '127.0.0.1',
    isInner: (address) => address === '127.0.0.2',
    find: async (hostname) => {
      const answers = names[hostname] ?? [];
      const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      return addresses.map((address) => ({ address, family: 4 }));
    },
  });
  const ask = async (first: string, target: string) =>
    (await follow(`${first}/${encodeURIComponent(target)}`, asked())).text();
  return { outside, inside, ask };
}

describe('a redirect from outside', () => {
  testUnlessMissing(needs, 'leads nowhere inside, by an address or by a name', async () => {
    const names = { 'inside.example': [['127.0.0.2']], 'both.example': [['127.0.0.1', '127.0.0.2']] };
    const { outside, inside, ask } = await openNetwork(names);
    for (const host of ['127.0.0.2', 'inside.example', 'both.example', '[::1]', '[::ffff:127.0.0.2]', '10.0.0.1']) {
      const sent = ask(`http://127.0.0.1:${outside.port}`, `http://${host}:${inside.port}/`);
      await expect(sent, host).rejects.toThrow(new SourceUnusable('the host sends to an address that is not followed'));
    }
    expect(inside.answer).not.toHaveBeenCalled();
  });

  testUnlessMissing(needs, 'is not followed by a name that leads elsewhere the next time it is asked for', async () => {
    const { outside, inside, ask } = await openNetwork({ 'turning.example': [['127.0.0.1'], ['127.0.0.2']] });
    await expect(ask(`http://127.0.0.1:${outside.port}`, `http://turning.example:${inside.port}/`)).rejects.toThrow();
    await expect(ask(`http://127.0.0.1:${outside.port}`, `http://turning.example:${inside.port}/`)).rejects.toThrow(
      SourceUnusable,
    );
    expect(inside.answer).not.toHaveBeenCalled();
  });

  testUnlessMissing(needs, 'leads to another address outside', async () => {
    const { outside, ask } = await openNetwork({ 'outside.example': [['127.0.0.1']] });
    const first = `http://127.0.0.1:${outside.port}`;
    for (const host of ['127.0.0.1', 'outside.example']) {
      expect(await ask(first, `http://${host}:${outside.port}/`)).toBe('a map');
    }
  });

  testUnlessMissing(needs, 'leads to no other kind of address', async () => {
    const { outside, ask } = await openNetwork();
    for (const target of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'http://']) {
      await expect(ask(`http://127.0.0.1:${outside.port}`, target), target).rejects.toThrow(SourceUnusable);
    }
  });
});

testUnlessMissing(needs, "a redirect from the operator's own network may lead into it, and out of it", async () => {
  const { outside, inside, ask } = await openNetwork({ 'inside.example': [['127.0.0.2']] });
  const first = `http://inside.example:${inside.port}`;
  for (const target of [`http://127.0.0.2:${inside.port}/`, `http://127.0.0.1:${outside.port}/`]) {
    expect(await ask(first, target)).toBe('a map');
  }
});
