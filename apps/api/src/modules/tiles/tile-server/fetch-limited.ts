import type { Timer } from '#api/platform/timer.ts';
import { fetchWithRedirects, SourceUnreachable, SourceUnusable } from '../archive/redirects.ts';

interface LimitedReply {
  status: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The time limit of a whole reply. */
export interface TimeLimit {
  timeout_ms: number;
  timer: Timer;
}

interface Limits extends TimeLimit {
  max_bytes: number;
}

/**
 * Fetches a reply with headers of our own only: nothing of a visitor's request leaves. Throws SourceUnreachable without
 * a reply in time, and for 429 and 5xx; SourceUnusable for a reply that is too large.
 */
export async function fetchLimited(url: string, { max_bytes, timeout_ms, timer }: Limits): Promise<LimitedReply> {
  let reply: Response | undefined;
  const timeout = new AbortController();
  const cancelTimeout = timer.after(timeout_ms, () => timeout.abort());
  try {
    const headers = { 'user-agent': 'Sendlap', accept: '*/*', 'accept-encoding': 'gzip' };
    reply = await fetchWithRedirects(url, { headers, signal: timeout.signal });
    const { status } = reply;
    if (status === 429 || status >= 500) throw new SourceUnreachable(`The address answered ${status}`);
    return { status, bytes: status === 200 ? await readBody(reply, max_bytes) : new Uint8Array(0) };
  } catch (cause) {
    if (cause instanceof SourceUnusable || cause instanceof SourceUnreachable) throw cause;
    throw new SourceUnreachable('The address did not answer', { cause });
  } finally {
    cancelTimeout();
    // An unread body would keep the connection open.
    if (reply && !reply.bodyUsed) await reply.body?.cancel();
  }
}

async function readBody(reply: Response, max_bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > max_bytes) throw new SourceUnusable('the host sends a tile that is too large');
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
