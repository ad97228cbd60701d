import { connect } from 'node:net';

/** Replies of a Redis to the bench's commands: RESP2 without errors inside arrays. */
export type Reply = string | number | null | Reply[];

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** One pipelined connection to a Redis, for the peer of `bench/ranks.ts`. */
export function openRespClient(url: string): (...words: (string | number)[]) => Promise<Reply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8').setNoDelay();
  const waiting: Waiting[] = [];
  let text = '';
  socket.on('data', (part) => {
    text += part;
    let at = 0;
    for (let read = readReply(text, at); read; read = readReply(text, at)) {
      at = read.end;
      const next = waiting.shift();
      if (read.reply instanceof Error) next?.reject(read.reply);
      else next?.resolve(read.reply);
    }
    text = text.slice(at);
  });
  // The bench may end Redis first.
  socket.on('error', () => {});
  return (...words) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
      socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
}

/**
 * Returns undefined if the reply has not arrived in full. Texts are ASCII, so a length in bytes is one in characters.
 */
function readReply(text: string, at: number): { reply: Reply | Error; end: number } | undefined {
  const line_end = text.indexOf('\r\n', at);
  if (line_end < 0) return undefined;
  const [kind, line] = [text[at], text.slice(at + 1, line_end)];
  const end = line_end + 2;
  if (kind === '+') return { reply: line, end };
  if (kind === '-') return { reply: new Error(line), end };
  if (kind === ':') return { reply: Number(line), end };
  const count = Number(line);
  if (count < 0) return { reply: null, end };
  if (kind === '$') {
    const next = end + count + 2;
    return text.length < next ? undefined : { reply: text.slice(end, end + count), end: next };
  }
  const replies: Reply[] = [];
  let next = end;
  for (let nth = 0; nth < count; nth++) {
    const read = readReply(text, next);
    if (!read) return undefined;
    if (read.reply instanceof Error) return { reply: read.reply, end: read.end };
    replies.push(read.reply);
    next = read.end;
  }
  return { reply: replies, end: next };
}
