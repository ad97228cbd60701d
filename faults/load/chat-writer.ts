import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 5_000;
const LONGEST_WAIT_MS = 500;

/** A chat and the bearer token of its writer. */
export interface WrittenChat {
  chat_id: string;
  token: string;
}

export interface Writer {
  /** Addresses of the nodes: each attempt goes to a random one. */
  urls: string[];
  /** Written to in turn, so that the limit of 60 a minute does not end the load. */
  chats: WrittenChat[];
  /** Marks the texts as this writer's. */
  name: string;
  /** Sends the same id with each retry; otherwise no id at all. */
  keep_ids: boolean;
  /** `is_aborted`: ends the retries too. */
  running: { until: number; is_aborted: boolean };
  /** A message was acknowledged. */
  onAcknowledged?: (() => void) | undefined;
  /** A valid message was refused for good. The writer ends. */
  onRefused: (error: Error) => void;
}

export interface WriterTally {
  acknowledged: { id: string; chat_id: string; seq: number; text: string }[];
  repeats: number;
}

/** Writes one message after another, each retried until the server acknowledges it. */
export async function write(writer: Writer): Promise<WriterTally> {
  const { chats, name, keep_ids, running } = writer;
  const tally: WriterTally = { acknowledged: [], repeats: 0 };
  for (let nth = 0; Date.now() < running.until && !running.is_aborted; nth += 1) {
    const chat = chats[nth % chats.length];
    if (!chat) throw new Error('a writer needs a chat');
    const text = `${name} ${nth}`;
    const body = keep_ids ? { message: text, client_id: randomUUID() } : { message: text };
    const sent = await sendUntilAnswered(writer, chat, body, tally);
    if (!sent) break;
    tally.acknowledged.push({ ...sent, chat_id: chat.chat_id, text });
    writer.onAcknowledged?.();
  }
  return tally;
}

async function sendUntilAnswered(
  { urls, running, onRefused }: Writer,
  { chat_id, token }: WrittenChat,
  body: object,
  tally: WriterTally,
) {
  for (let attempt = 1; !running.is_aborted; attempt += 1) {
    const reply = await post(`${pick(urls)}/v1/chats/${chat_id}/messages`, token, body).catch(() => undefined);
    if (reply?.status === 201 || reply?.status === 200) return { id: reply.data.id, seq: reply.data.seq };
    const may_repeat = reply === undefined || reply.status >= 500 || reply.status === 429 || reply.status === 408;
    if (!may_repeat) {
      onRefused(new Error(`a message was refused: ${reply.status} ${reply.code}`));
      return undefined;
    }
    tally.repeats += 1;
    await pause(Math.min(50 * attempt, LONGEST_WAIT_MS));
  }
  return undefined;
}

/** Returns a random node. */
export function pick(urls: string[]): string {
  return urls[Math.floor(Math.random() * urls.length)] ?? '';
}

/** Sends a JSON body. Rejects if no complete reply comes. */
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
