import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 5_000;
const LONGEST_WAIT_MS = 500;

/** A chat and the bearer token of the one who writes in it. */
export interface WrittenChat {
  chat_id: string;
  token: string;
}

export interface Writer {
  /** Of the nodes: each attempt goes to any of them. */
  urls: string[];
  /** Written in by turns, so that nobody's 60 a minute end the load. */
  chats: WrittenChat[];
  /** Says in its texts whose they are. */
  name: string;
  /** Sends the same id with each repeat; else none at all. */
  keep_ids: boolean;
  running: { until: number };
}

export interface WriterTally {
  acknowledged: { id: string; chat_id: string; seq: number; text: string }[];
  repeats: number;
  /** Refusals that no repeat can mend, of messages that nothing is wrong with. */
  wrongly_refused: string[];
}

/** Writes one message after the other, each repeated until the server says that it has it. */
export async function write({ urls, chats, name, keep_ids, running }: Writer): Promise<WriterTally> {
  const tally: WriterTally = { acknowledged: [], repeats: 0, wrongly_refused: [] };
  for (let nth = 0; Date.now() < running.until; nth += 1) {
    const chat = chats[nth % chats.length];
    if (!chat) throw new Error('a writer needs a chat');
    const text = `${name} ${nth}`;
    const body = keep_ids ? { message: text, client_id: randomUUID() } : { message: text };
    const sent = await sendUntilAnswered(urls, chat, body, tally);
    if (sent) tally.acknowledged.push({ ...sent, chat_id: chat.chat_id, text });
  }
  return tally;
}

async function sendUntilAnswered(urls: string[], { chat_id, token }: WrittenChat, body: object, tally: WriterTally) {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await post(`${pick(urls)}/v1/chats/${chat_id}/messages`, token, body).catch(() => undefined);
    if (reply?.status === 201 || reply?.status === 200) return { id: reply.data.id, seq: reply.data.seq };
    const may_repeat = reply === undefined || reply.status >= 500 || reply.status === 429 || reply.status === 408;
    if (!may_repeat) {
      tally.wrongly_refused.push(`${reply.status} ${reply.code}`);
      return undefined;
    }
    tally.repeats += 1;
    await pause(Math.min(50 * attempt, LONGEST_WAIT_MS));
  }
}

/** Any of them. */
export function pick(urls: string[]): string {
  return urls[Math.floor(Math.random() * urls.length)] ?? '';
}

/** A call with a JSON body. Rejects when no whole reply comes. */
export async function post(url: string, token: string, body: object) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { data, code } = (await reply.json()) as { data: { id: string; seq: number }; code?: string };
  return { status: reply.status, data, code };
}
