import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { MESSAGE_TEXT, type Slots } from './http-slots.ts';
import { messageId, type Tally } from './message-tally.ts';

const MAX_CONCURRENT_SIGN_INS = 20;
const streamHeader = (host: string) =>
  `<stream:stream to='${host}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`;

export interface XmppChat {
  port: number;
  host: string;
  password: string;
  /** Accounts u0, u1, …: first the receivers, then the senders. */
  receivers: number;
  senders: number;
  /** Messages in flight, over all senders. */
  in_flight: number;
}

/**
 * Sends messages by XMPP over plain TCP (RFC 6120, 6121). XMPP does not acknowledge a message, so its slot is free only
 * when the message has arrived.
 */
export async function openXmppSlots(tally: Tally, chat: XmppChat): Promise<Slots> {
  const { receivers, senders, host, in_flight } = chat;
  const sockets: Socket[] = [];
  for (let first = 0; first < receivers + senders; first += MAX_CONCURRENT_SIGN_INS) {
    const batch_size = Math.min(MAX_CONCURRENT_SIGN_INS, receivers + senders - first);
    sockets.push(
      ...(await Promise.all(Array.from({ length: batch_size }, (_, nth) => signIn(chat, `u${first + nth}`)))),
    );
  }
  for (const socket of sockets.slice(0, receivers)) socket.on('data', tally.createReader());
  // The server's output to a sender is read and discarded.
  for (const socket of sockets.slice(receivers)) socket.resume();
  const pending = new Map<number, (ok: boolean) => void>();
  tally.onArrival((nth) => {
    const done = pending.get(nth);
    pending.delete(nth);
    done?.(true);
  });
  return {
    count: in_flight,
    reconnect: async () => {},
    send(slot, nth, done) {
      pending.set(nth, done);
      const to = `u${nth % receivers}@${host}`;
      const stanza = `<message to='${to}' type='chat' id='${messageId(nth)}'><body>${MESSAGE_TEXT}</body></message>`;
      sockets[receivers + (slot % senders)]?.write(stanza, 'latin1');
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function signIn({ port, host, password }: XmppChat, name: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const sendAndAwait = async (text: string, until: string): Promise<void> => {
    socket.write(text);
    let received = '';
    while (!received.includes(until)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      received += chunk.toString('latin1');
      if (/<failure|<stream:error|type='error'/.test(received)) throw new Error(`ejabberd said ${received}`);
    }
  };
  await sendAndAwait(streamHeader(host), '</stream:features>');
  const credentials = Buffer.from(`\0${name}\0${password}`).toString('base64');
  await sendAndAwait(
    `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${credentials}</auth>`,
    '<success',
  );
  await sendAndAwait(streamHeader(host), '</stream:features>');
  const bind = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind>";
  await sendAndAwait(`<iq type='set' id='bind'>${bind}</iq>`, "id='bind'");
  await sendAndAwait('<presence/>', '<presence');
  return socket;
}
