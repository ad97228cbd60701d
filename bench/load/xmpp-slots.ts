import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Slots, TEXT } from './http-slots.ts';
import { messageId, type Tally } from './message-tally.ts';

const OPENING_AT_ONCE = 20;
const OPEN = (host: string) =>
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
 * Messages by XMPP over plain TCP (RFC 6120, 6121): it has no answers, so a slot is free once its message has arrived.
 */
export async function openXmppSlots(tally: Tally, chat: XmppChat): Promise<Slots> {
  const { receivers, senders, host, in_flight } = chat;
  const sockets: Socket[] = [];
  for (let at = 0; at < receivers + senders; at += OPENING_AT_ONCE) {
    const some = Math.min(OPENING_AT_ONCE, receivers + senders - at);
    sockets.push(...(await Promise.all(Array.from({ length: some }, (_, nth) => signIn(chat, `u${at + nth}`)))));
  }
  for (const socket of sockets.slice(0, receivers)) socket.on('data', tally.createReader());
  // The server's output to a sender is read and discarded.
  for (const socket of sockets.slice(receivers)) socket.resume();
  const waiting = new Map<number, (ok: boolean) => void>();
  tally.onArrival((nth) => {
    const done = waiting.get(nth);
    waiting.delete(nth);
    done?.(true);
  });
  return {
    count: in_flight,
    renew: async () => {},
    send(slot, nth, done) {
      waiting.set(nth, done);
      const to = `u${nth % receivers}@${host}`;
      const stanza = `<message to='${to}' type='chat' id='${messageId(nth)}'><body>${TEXT}</body></message>`;
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
  const say = async (text: string, until: string): Promise<void> => {
    socket.write(text);
    let heard = '';
    while (!heard.includes(until)) {
      const [piece] = (await once(socket, 'data')) as [Buffer];
      heard += piece.toString('latin1');
      if (/<failure|<stream:error|type='error'/.test(heard)) throw new Error(`ejabberd said ${heard}`);
    }
  };
  await say(OPEN(host), '</stream:features>');
  const secret = Buffer.from(`\0${name}\0${password}`).toString('base64');
  await say(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`, '<success');
  await say(OPEN(host), '</stream:features>');
  const bind = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind>";
  await say(`<iq type='set' id='bind'>${bind}</iq>`, "id='bind'");
  await say('<presence/>', '<presence');
  return socket;
}
