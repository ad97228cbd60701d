import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CALLS = 300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/** A page, and the bearer token that reads it. */
export interface TimedPage {
  url: string;
  token: string;
}

/**
 * Milliseconds of calls for each of these pages, which alternate, one call at a time; as many calls before to warm up.
 * Between calls, the caller collects its own garbage, which takes as long as several pages.
 */
export async function timePages(pages: TimedPage[], at_least: number): Promise<number[][]> {
  for (let call = 0; call < CALLS; call += 1) for (const page of pages) await timePage(page, at_least);
  const times: number[][] = pages.map(() => []);
  for (let call = 0; call < CALLS; call += 1) {
    collectGarbage({ type: 'minor' });
    for (const [nth, page] of pages.entries()) times[nth]?.push((await timePage(page, at_least)).took_ms);
  }
  return times;
}

/** Times one page and returns the number of its latest message. Throws unless it has at least so many messages. */
export async function timePage(
  { url, token }: TimedPage,
  at_least: number,
): Promise<{ last_seq: number; took_ms: number }> {
  const began_at = performance.now();
  const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await reply.text();
  const took_ms = performance.now() - began_at;
  const { data } = JSON.parse(text) as { data?: { seq: number }[] };
  if (!data || data.length < at_least) throw new Error(`${url} gave ${reply.status}: ${text.slice(0, 200)}`);
  return { last_seq: data.at(-1)?.seq ?? 0, took_ms };
}
