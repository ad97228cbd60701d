import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeMessage, type NodeMessage, packPayloads, splitPayload } from './event-messages.ts';

const FROM = randomUUID();
const kept = (data: string): NodeMessage => ({
  kind: 'kept',
  user_id: randomUUID(),
  seq: 7,
  event: { type: 'message', data },
});
const whisper = (count: number): NodeMessage => ({
  kind: 'whisper',
  to: Array.from({ length: count }, () => randomUUID()),
  event: { type: 'typing', data: '{}' },
});

function read(payloads: string[]): (NodeMessage | undefined)[] {
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  return payloads.flatMap((payload) => {
    const { from, texts } = splitPayload(payload);
    expect(from).toBe(FROM);
    return texts.map(decodeMessage);
  });
}

test('many messages go in few payloads, none too large for PostgreSQL, and come out as they went in', () => {
  const messages = Array.from({ length: 200 }, (_, nth) =>
    kept(JSON.stringify({ text: 'ü\u001e\n'.repeat(nth % 40) })),
  );
  const payloads = packPayloads(FROM, messages);
  expect(payloads.length).toBeLessThan(20);
  expect(read(payloads)).toEqual(messages);
});

test('an event that is too large is sent as a notice that it exists', () => {
  const large = kept(JSON.stringify('ü'.repeat(5_000)));
  const user_id = large.kind === 'kept' ? large.user_id : '';
  expect(read(packPayloads(FROM, [large]))).toEqual([{ kind: 'more', user_id }]);
});

test('an ephemeral event to very many users reaches each of them once', () => {
  const message = whisper(450);
  const parts = read(packPayloads(FROM, [message]));
  expect(parts.flatMap((part) => (part?.kind === 'whisper' ? part.to : []))).toEqual(
    message.kind === 'whisper' ? message.to : [],
  );
});
