/** Returns the milliseconds of each call, made one after the other. Throws unless all are 2xx. */
export async function timeCalls(urls: readonly string[], headers: Record<string, string> = {}): Promise<number[]> {
  const times: number[] = [];
  for (const url of urls) times.push(await timeCall(url, headers));
  return times;
}

/** Returns the milliseconds until the whole answer has arrived. Throws unless it is 2xx. */
export async function timeCall(url: string, headers: Record<string, string> = {}): Promise<number> {
  const started_at = performance.now();
  const reply = await fetch(url, { headers });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${url} gave ${reply.status}`);
  return performance.now() - started_at;
}
