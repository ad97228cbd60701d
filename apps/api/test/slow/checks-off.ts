import type { SourcePatch } from '../source-patches.ts';

/**
 * Source edits, each of which takes one limit away, and the kind of slow caller that must notice it alone: no other limit
 * ends that kind in its time.
 */
export const CHECKS_OFF: Record<string, SourcePatch & { kind: string; answer: 'still open' | 'wrong' }> = {
  'a limit of the time of headers and bodies': {
    file: 'http/server.ts',
    find: 'requestTimeout: arrival_timeouts.request_ms,',
    replace: 'requestTimeout: 0,',
    kind: 'a body byte by byte',
    answer: 'still open',
  },
  'a limit of idle connections': {
    file: 'http/server.ts',
    find: 'connectionTimeout: arrival_timeouts.idle_ms,',
    replace: 'connectionTimeout: 0,',
    kind: 'a large reply that is not read',
    answer: 'still open',
  },
  'a limit of handshakes': {
    file: 'listening/plain-http.ts',
    find: 'const deadline = setTimeout(destroy, NON_TLS_TIMEOUT_MS).unref();',
    replace: 'const deadline = setTimeout(() => destroy, NON_TLS_TIMEOUT_MS).unref();',
    // A handshake that has begun is ended by Node too, after two minutes.
    kind: 'https: no byte',
    answer: 'still open',
  },
  'a limit of stalled streams': {
    file: 'streams/live-streams.ts',
    find: 'response.socket?.setTimeout(stalled_ms);',
    replace: 'response.socket?.setTimeout(stalled_ms * 0);',
    kind: 'event streams that are not read',
    answer: 'still open',
  },
  'a limit of bodies': {
    file: 'http/server.ts',
    find: 'bodyLimit: BODY_LIMIT_BYTES,',
    replace: 'bodyLimit: BODY_LIMIT_BYTES * 1000,',
    kind: 'a body of 10 MB',
    answer: 'wrong',
  },
  'a limit of requests in advance': {
    file: 'listening/pipelined-requests.ts',
    find: 'if (count <= MAX_WAITING) return done();',
    replace: 'if (count > 0) return done();',
    kind: 'replies asked for in advance',
    answer: 'still open',
  },
};
