import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, test, vi } from 'vitest';
import { startPushEndpoint } from '#test/push-endpoint.ts';
import { createPushAddresses } from './push-address.ts';
import { createPushClient, type Push } from './push-client.ts';
import { createVapid } from './vapid.ts';

async function openClient(lookup = createPushAddresses({ allow_local: true }).lookup) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'push', alg: 'ES256' } as const;
  const vapid = await createVapid(jwk, 'mailto:a@b.example');
  return createPushClient(vapid, { ...createPushAddresses({ allow_local: true }), lookup }, () => new Date());
}

async function pushTo(origin: string): Promise<Push> {
  const endpoint = await startPushEndpoint();
  const { keys } = endpoint.openBrowser().subscription;
  await endpoint.close();
  const user_id = randomUUID();
  const about = { other_id: null, message_id: null, request_id: null, activity: null };
  const content = { kind: 'friend_request', name: 'Ada', at: 0 } as const;
  return {
    subscription: { id: randomUUID(), user_id, endpoint: `${origin}/a`, ...keys },
    news: { user_id, kind: 'friends', subject: 'from a friend', content, ...about },
    ...{ payload: '{}', expires_at_ms: Date.now() + 60_000, urgency: 'normal', topic: 't' },
  };
}

test.each(['http', 'https'])(
  'a name that is refused when the connection is made is not connected to (%s)',
  async (scheme) => {
    const connected = vi.fn();
    const server = createServer((socket) => {
      connected();
      socket.destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const push = await pushTo(`${scheme}://localhost:${(server.address() as AddressInfo).port}`);
    const { signal } = new AbortController();
    const refusing = await openClient((_name, _options, callback) => callback(new Error('not public'), '', 0));
    expect(await refusing.send(push, signal)).toEqual({ outcome: 'later', after_ms: 0 });
    expect(connected).not.toHaveBeenCalled();
    const control = await openClient();
    await control.send(push, signal);
    // Of several addresses each is tried for a quarter of a second only: the client may give up first.
    await vi.waitFor(() => expect(connected).toHaveBeenCalledOnce());
    for (const client of [refusing, control]) client.close();
    server.close();
  },
);
