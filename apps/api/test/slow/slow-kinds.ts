import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { LookUp } from './server-ends.ts';

/** What the slow callers know of the server. */
export interface Target {
  port: number;
  /** Of https. */
  tls_port: number;
  /** Of a server with the same limits, at which `huge` is. */
  huge_port: number;
  /** Takes a body of JSON. */
  post: string;
  /** Has a large reply. */
  large: string;
  /** Has a reply that is larger than the buffers of both systems. */
  huge: string;
  /** Of a user for whom many events wait; undefined: the server has no event stream. */
  token: string | undefined;
  lookUp: LookUp;
}

/** A way to hold a connection of the server for as long as possible. */
export interface SlowKind {
  name: string;
  /** Default: `port`. */
  at?: 'tls_port' | 'huge_port';
  /** Connections at once; default: as many as of the others. */
  at_most?: number;
  /** Written at once. */
  begin(target: Target): string;
  /** Written again and again. */
  drip?: string;
  /** The caller takes nothing from its connection. */
  is_deaf?: boolean;
  /** Only of deaf callers: the server ends it so soon after it has accepted it; later, another limit would. */
  ended_within_ms?: number;
  /** The status that the server answers before it ends the connection, or `none`. */
  expected: RegExp;
}

const LARGE = 10_000_000;
export const HUGE_PATH = '/huge';
const post = ({ post, token }: Target, more: string) =>
  `POST ${post} HTTP/1.1\r\nhost: localhost\r\n${authorization(token)}content-type: application/json\r\n${more}\r\n`;
const authorization = (token: string | undefined) => (token ? `authorization: Bearer ${token}\r\n` : '');
/** The server may have ended the connection while a byte was on its way, which loses the answer. */
const TOO_SLOW = /^(408|none)$/;

export const SLOW_KINDS: readonly SlowKind[] = [
  { name: 'no byte', begin: () => '', expected: TOO_SLOW },
  { name: 'half of a first line', begin: () => 'GET /v1', expected: TOO_SLOW },
  {
    name: 'headers without an end',
    begin: () => 'GET / HTTP/1.1\r\nhost: localhost\r\n',
    drip: 'x-more: a\r\n',
    expected: TOO_SLOW,
  },
  {
    name: 'a body byte by byte',
    begin: (target) => `${post(target, 'content-length: 10000\r\n')}{`,
    drip: ' ',
    expected: TOO_SLOW,
  },
  {
    name: 'a body in chunks of a byte',
    begin: (target) => post(target, 'transfer-encoding: chunked\r\n'),
    drip: '1\r\n \r\n',
    expected: TOO_SLOW,
  },
  {
    name: 'a body that does not come',
    begin: (target) => post(target, 'content-length: 10000\r\n'),
    expected: TOO_SLOW,
  },
  {
    name: 'a body that its caller may not send',
    begin: (target) => `${post({ ...target, token: 'none' }, 'content-length: 10000\r\n')}{`,
    drip: ' ',
    expected: /^(401|408|none)$/,
  },
  {
    name: 'replies that are not read',
    begin: ({ large }) => `GET ${large} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(3),
    is_deaf: true,
    expected: /^none$/,
  },
  {
    // Replies that the buffers take make an idle connection, which has another limit.
    name: 'a large reply that is not read',
    at: 'huge_port',
    at_most: 20,
    begin: ({ huge }) => `GET ${huge} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    is_deaf: true,
    expected: /^none$/,
  },
  {
    name: 'replies asked for in advance',
    begin: ({ large }) => `GET ${large} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(500),
    is_deaf: true,
    ended_within_ms: 10_000,
    expected: /^none$/,
  },
  {
    name: 'headers of 1 MB',
    begin: () => `GET / HTTP/1.1\r\nhost: localhost\r\ncookie: ${'c'.repeat(1_000_000)}`,
    drip: 'c',
    expected: /^(431|none)$/,
  },
  {
    name: 'a body of 10 MB',
    begin: (target) => `${post(target, `content-length: ${LARGE}\r\n`)}{`,
    drip: ' '.repeat(100_000),
    expected: /^(413|none)$/,
  },
  {
    name: 'a body of 10 MB in chunks',
    begin: (target) => post(target, 'transfer-encoding: chunked\r\n'),
    drip: `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`,
    expected: /^(413|none)$/,
  },
  { name: 'https: no byte', at: 'tls_port', begin: () => '', expected: /^none$/ },
  { name: 'https: half of a handshake', at: 'tls_port', begin: () => '\u0016\u0003\u0001', expected: /^none$/ },
  {
    name: 'https: http without an end',
    at: 'tls_port',
    begin: () => 'GET / HTTP/1.1\r\n',
    drip: 'x-more: a\r\n',
    expected: TOO_SLOW,
  },
];

/** Needs a user for whom many events wait. */
export const UNREAD_STREAMS: SlowKind = {
  name: 'event streams that are not read',
  // Streams of one user have a limit.
  at_most: 5,
  begin: ({ token }) =>
    `GET ${EVENTS_PATH} HTTP/1.1\r\nhost: localhost\r\n${authorization(token)}last-event-id: 0\r\n\r\n`,
  is_deaf: true,
  expected: /^none$/,
};
