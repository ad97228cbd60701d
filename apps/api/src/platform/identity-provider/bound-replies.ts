import type { CustomFetch } from 'openid-client';

const MAX_REPLY_BYTES = 1024 * 1024;

/** Reads replies whole, and gives up on one that is longer than any provider has to say. */
export function boundReplies(fetchReply: CustomFetch = fetchDirectly): CustomFetch {
  return async (url, options) => {
    const reply = await fetchReply(url, options);
    if (!reply.body) return reply;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of reply.body) {
      length += chunk.length;
      // As fetch fails: by a TypeError.
      if (length > MAX_REPLY_BYTES) throw new TypeError(`a reply is longer than ${MAX_REPLY_BYTES} bytes`);
      chunks.push(chunk);
    }
    const { status, statusText, headers } = reply;
    return new Response(Buffer.concat(chunks), { status, statusText, headers });
  };
}

const fetchDirectly: CustomFetch = (url, options) => fetch(url, options as RequestInit);
