import { createECDH, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startPushEndpoint } from '#test/push-endpoint.ts';
import { createPushAddresses } from './push-address.ts';
import { createPushClient, type Push } from './push-client.ts';

function openClient(lookup = createPushAddresses({ allow_local: true }).lookup) {
  const curve = createECDH('prime256v1');
  const public_key = curve.generateKeys().toString('base64url');
  const vapid = { subject: 'mailto:a@b.example', public_key, private_key: curve.getPrivateKey('base64url') };
  return createPushClient(vapid, { ...createPushAddresses({ allow_local: true }), lookup }, () => new Date());
}

async function pushTo(origin: string): Promise<Push> {
  const endpoint = await startPushEndpoint();
  const { keys } = endpoint.openBrowser().subscription;
  await endpoint.close();
  const user_id = randomUUID();
  const about = { other_id: null, message_id: null, request_id: null, activity: null };
  const told = { kind: 'friend_request', name: 'Ada', at: 0 } as const;
  return {
    subscription: { id: randomUUID(), user_id, endpoint: `${origin}/a`, ...keys },
    origin,
    news: { user_id, kind: 'friends', subject: 'from somebody', told, ...about },
    ...{ payload: '{}', use_until: Date.now() + 60_000, urgency: 'normal', topic: 't' },
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
    const refusing = openClient((_name, _options, callback) => callback(new Error('not public'), '', 0));
    expect(await refusing.send(push, signal)).toEqual({ outcome: 'later', after_ms: null });
    expect(connected).not.toHaveBeenCalled();
    const control = openClient();
    await control.send(push, signal);
    // Of a name with several addresses each is tried for a quarter of a second only: the client may give up first.
    await vi.waitFor(() => expect(connected).toHaveBeenCalledOnce());
    for (const client of [refusing, control]) client.close();
    server.close();
  },
);
