import type { Hop } from './configurations.ts';
import type { Verdict } from './verdict.ts';

export interface SetUp {
  name: string;
  /** The outermost first. */
  hops: Hop[];
  trust_proxy?: string;
  /** The path in PUBLIC_URL. */
  path?: string;
  is_https?: boolean;
  /** A time-out of the proxy for a silent connection. */
  silence_ms?: number;
  expected: { verdict: Verdict; words?: RegExp; log_words?: RegExp };
}

const WORKS = { verdict: 'works' } as const;
const NGINX: Hop = { program: 'nginx' };
const HAPROXY: Hop = { program: 'haproxy' };
const CADDY: Hop = { program: 'caddy' };
const HOST_LINE = '  proxy_set_header Host $http_host;\n';
const ADDRESS_LINE = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
const BUFFERS = 'proxy_buffering on;\nproxy_buffer_size 64k;\nproxy_buffers 16 64k;\n';
const NGINX_GZIP = 'gzip on;\ngzip_types *;\ngzip_min_length 1;\ngzip_proxied any;\n';
const SILENCE_MS = 8_000;
const CAN_CLAIM = /^TRUST_PROXY: clients can claim any address/;
const AS_ONE = /^TRUST_PROXY: limits count all clients of a proxy as one/;

const COUNTS_THEM = /^TRUST_PROXY: .* limits count them as one/;
const FOREIGN_HOST = /^PUBLIC_URL: .* let the proxy forward the header Host/;
const OTHER_PATH = /^PUBLIC_URL: .* answered 404/;

/** The twelve set-ups, those of several proxies by each. */
export const SET_UPS: SetUp[] = [
  ...named('default', [NGINX, HAPROXY, CADDY], { trust_proxy: '1' }),
  ...named(
    'buffered',
    [
      { ...NGINX, lines: BUFFERS },
      { ...HAPROXY, lines: '  option http-buffer-request\n' },
    ],
    {
      trust_proxy: '1',
    },
  ),
  ...named(
    'gzip',
    [
      { ...NGINX, lines: NGINX_GZIP },
      { ...HAPROXY, lines: '  compression algo gzip\n  compression type text/event-stream application/json\n' },
      { ...CADDY, lines: '  encode gzip\n' },
    ],
    { trust_proxy: '1' },
  ),
  ...named(
    'time-out of 8 s',
    [
      { ...NGINX, lines: 'proxy_read_timeout 8s;\n' },
      { ...HAPROXY, changes: [['timeout server 60s', 'timeout server 8s']] },
    ],
    { trust_proxy: '1', silence_ms: SILENCE_MS },
  ),
  { name: 'two in a row: caddy, nginx', hops: [CADDY, NGINX], trust_proxy: '2', expected: WORKS },
  { name: 'two in a row: nginx, haproxy', hops: [NGINX, HAPROXY], trust_proxy: '2', expected: WORKS },
  {
    name: 'foreign Host: nginx',
    hops: [{ ...NGINX, changes: [[HOST_LINE, '']] }],
    trust_proxy: '1',
    expected: { verdict: 'named', words: FOREIGN_HOST, log_words: FOREIGN_HOST },
  },
  {
    name: 'sub-path in PUBLIC_URL',
    hops: [],
    path: '/sendlap',
    expected: { verdict: 'refused', words: /^Sendlap cannot start: PUBLIC_URL: must be an origin, without a path$/ },
  },
  {
    name: 'sub-path of nginx alone',
    hops: [{ ...NGINX, changes: [['location / {', 'location /sendlap/ {']] }],
    trust_proxy: '1',
    expected: { verdict: 'named', words: OTHER_PATH, log_words: OTHER_PATH },
  },
  ...named('HTTP/2', [NGINX, HAPROXY, CADDY], { trust_proxy: '1', is_https: true }),
  {
    name: 'TCP mode: haproxy',
    hops: [{ ...HAPROXY, is_tcp: true }],
    expected: { verdict: 'named', words: COUNTS_THEM, log_words: COUNTS_THEM },
  },
  {
    name: 'TCP mode, and one counted',
    hops: [{ ...HAPROXY, is_tcp: true }],
    trust_proxy: '1',
    expected: { verdict: 'named', words: CAN_CLAIM, log_words: CAN_CLAIM },
  },
  {
    name: 'too many counted: nginx',
    hops: [NGINX],
    trust_proxy: '2',
    expected: { verdict: 'named', words: CAN_CLAIM, log_words: CAN_CLAIM },
  },
  {
    name: 'too few counted: caddy, nginx',
    hops: [CADDY, NGINX],
    trust_proxy: '1',
    expected: { verdict: 'named', words: AS_ONE, log_words: AS_ONE },
  },
  {
    name: 'none counted: nginx',
    hops: [NGINX],
    expected: { verdict: 'named', words: AS_ONE, log_words: /none is set/ },
  },
  ...['1', 'loopback'].map(
    (trust_proxy): SetUp => ({
      name: `header removed, ${trust_proxy} trusted`,
      hops: [{ ...NGINX, changes: [[ADDRESS_LINE, 'proxy_set_header X-Forwarded-For "";']] }],
      trust_proxy,
      expected: { verdict: 'named', words: /removes X-Forwarded-For/, log_words: /without X-Forwarded-For/ },
    }),
  ),
];

/** The control arm: a proxy that holds the stream back, of which no line says anything. */
export const HELD_BACK: SetUp = {
  name: 'held back: nginx',
  hops: [{ ...NGINX, lines: `${BUFFERS}proxy_ignore_headers X-Accel-Buffering;\n` }],
  trust_proxy: '1',
  expected: { verdict: 'silent' },
};

/** Returns one set-up for each of these proxies, all of which have to work. */
function named(name: string, proxies: Hop[], rest: Omit<SetUp, 'name' | 'hops' | 'expected'>): SetUp[] {
  return proxies.map((hop) => ({ name: `${name}: ${hop.program}`, hops: [hop], ...rest, expected: WORKS }));
}
