import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { messageId, type Tally } from './message-tally.ts';

const MAX_CONCURRENT_OPENS = 50;

/** The address to which a sender posts, or to which a receiver listens; `token` is a bearer token. */
export interface HttpEnd {
  path: string;
  token?: string;
}

export interface HttpChat {
  port: number;
  targets: HttpEnd[];
  streams: HttpEnd[];
  /** Persistent connections, each with one call at a time. */
  connections: number;
}

/** Slots, each of which sends one message at a time. */
export interface Slots {
  count: number;
  /** Call it before each load: servers close idle connections. */
  reconnect(): Promise<void>;
  /**
   * Sends a new message; `done` is called once it is answered (true: 2xx) or, if the protocol has no answers,
   * delivered.
   */
  send(slot: number, nth: number, done: (ok: boolean) => void): void;
  close(): void;
}

export const MESSAGE_TEXT = 'The blue one by the door is open again, shall we try it on Thursday?';

/** POST over HTTP/1.1, without the cost of a client library; resolves once the receivers' streams are open. */
export async function openHttpSlots(tally: Tally, { port, targets, streams, connections }: HttpChat): Promise<Slots> {
  const readers: Socket[] = [];
  for (let at = 0; at < streams.length; at += MAX_CONCURRENT_OPENS) {
    const some = streams.slice(at, at + MAX_CONCURRENT_OPENS);
    readers.push(...(await Promise.all(some.map((stream) => openStream(port, stream, tally)))));
  }
  let lines: Awaited<ReturnType<typeof openLine>>[] = [];
  const turns = Array.from({ length: connections }, (_, slot) => slot);
  return {
    count: connections,
    async reconnect() {
      for (const line of lines) line.close();
      lines = await Promise.all(turns.map(() => openLine(port)));
    },
    send(slot, nth, done) {
      const turn = turns[slot] ?? 0;
      turns[slot] = turn + connections;
      const target = targets[turn % targets.length];
      const body = `{"message":"${MESSAGE_TEXT}","client_id":"${messageId(nth)}"}`;
      lines[slot]?.call(headOf('POST', target, port) + bodyOf(body), done);
    },
    close() {
      for (const socket of readers) socket.destroy();
      for (const line of lines) line.close();
    },
  };
}

function headOf(method: string, end: HttpEnd | undefined, port: number): string {
  const bearer = end?.token ? `authorization: Bearer ${end.token}\r\n` : '';
  return `${method} ${end?.path} HTTP/1.1\r\nhost: localhost:${port}\r\n${bearer}`;
}

/** The text has one byte per character. */
function bodyOf(body: string): string {
  return `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

async function openStream(port: number, stream: HttpEnd, tally: Tally): Promise<Socket> {
  const socket = connect(port, 'localhost');
  await once(socket, 'connect');
  socket.write(`${headOf('GET', stream, port)}accept: text/event-stream\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 200'))
    throw new Error(`a stream gave ${head.toString('latin1').slice(0, 80)}`);
  const read = tally.createReader();
  socket.on('data', read);
  socket.on('error', () => {});
  return socket;
}

/** One connection, with one call at a time. */
async function openLine(port: number) {
  const socket = connect({ port, host: 'localhost', noDelay: true });
  await once(socket, 'connect');
  let reply = '';
  let finish: ((ok: boolean) => void) | undefined;
  const answer = (ok: boolean) => {
    const call = finish;
    finish = undefined;
    reply = '';
    call?.(ok);
  };
  socket.on('data', (piece: Buffer) => {
    reply += piece.toString('latin1');
    const end = reply.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(reply.slice(0, end))?.[1]);
    if (reply.length < end + 4 + length) return;
    const ok = reply.startsWith('HTTP/1.1 2');
    if (!ok) report(reply);
    answer(ok);
  });
  socket.on('error', () => {});
  socket.on('close', () => answer(false));
  return {
    call(text: string, done: (ok: boolean) => void) {
      finish = done;
      // The server closed the connection.
      if (socket.destroyed) void pause(1).then(() => answer(false));
      else socket.write(text, 'latin1');
    },
    close: () => socket.destroy(),
  };
}

let reported = false;

/** Prints the first refusal, for people. */
function report(reply: string): void {
  if (!reported)
    console.error(`refused: ${reply.slice(0, 15)} ${reply.slice(reply.indexOf('\r\n\r\n') + 4).slice(0, 200)}`);
  reported = true;
}
