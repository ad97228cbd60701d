import { describe, expect, test } from 'vitest';
import { configure } from '../e2e/proxies/configurations.ts';
import { HELD_BACK, SET_UPS } from '../e2e/proxies/set-ups.ts';
import { findBlock, rewrite } from '../e2e/proxies/snippets.ts';
import { findFault, judge, type Observation } from '../e2e/proxies/verdict.ts';

const FINE: Observation = {
  sign_in: true,
  ...{ stream_ms: 100, step_ms: 200, message_ms: 300 },
  export: true,
  passed: 19,
  has_own_count: true,
  doctor: [],
  log: [],
};
const CLAIM = 'TRUST_PROXY: clients can claim any address';

test('a set-up in which every check passes works', () => {
  expect(judge(FINE)).toBe('works');
  expect(judge({ ...FINE, resumed: 'cut' })).toBe('works');
});

describe('a loss without any line about it is silent:', () => {
  test.each<[string, Partial<Observation>]>([
    ['no sign-in', { sign_in: false }],
    ['a late stream', { stream_ms: 2_001 }],
    ['a step that did not arrive', { step_ms: undefined }],
    ['a late message', { message_ms: 2_001 }],
    ['a message that was lost in the gap', { resumed: 'lost' }],
    ['an export that is not whole', { export: false }],
    ['false addresses that pass', { passed: 24 }],
    ['a neighbour who is locked too', { has_own_count: false }],
    ['an attack that did not take place', { passed: undefined }],
  ])('%s', (_name, loss) => {
    expect(judge({ ...FINE, ...loss })).toBe('silent');
  });

  test('false addresses pass, and only doctor reports it', () => {
    expect(judge({ ...FINE, passed: 24, doctor: [CLAIM] })).toBe('silent');
  });

  test('the log has the same line twice', () => {
    expect(judge({ ...FINE, passed: 24, doctor: [CLAIM], log: [CLAIM, CLAIM] })).toBe('silent');
  });

  test('the log blames a setting that is right', () => {
    expect(judge({ ...FINE, log: [CLAIM] })).toBe('silent');
  });
});

test('a loss is named if doctor and the log report it', () => {
  expect(judge({ ...FINE, has_own_count: false, doctor: ['TRUST_PROXY: …'] })).toBe('silent');
  expect(judge({ ...FINE, has_own_count: false, doctor: ['TRUST_PROXY: …'], log: ['TRUST_PROXY: …'] })).toBe('named');
  expect(judge({ ...FINE, passed: 24, doctor: [CLAIM], log: [CLAIM] })).toBe('named');
});

test('a fault is another verdict, or another line than expected', () => {
  const seen = { ...FINE, passed: 24, doctor: [CLAIM], log: ['TRUST_PROXY: it is wrong'] };
  expect(findFault({ verdict: 'named', words: /^TRUST_PROXY: clients/, log_words: /wrong/ }, seen)).toBe(undefined);
  expect(findFault({ verdict: 'works' }, seen)).toBe('named, and not works');
  expect(findFault({ verdict: 'named', words: /PUBLIC_URL/ }, seen)).toMatch(/no line says/);
  expect(findFault({ verdict: 'named', log_words: /clients/ }, seen)).toMatch(/no line of the log says/);
  expect(findFault({ verdict: 'refused', words: /path/ }, { ...FINE, refusal: 'without a path' })).toBe(undefined);
});

test('a page has one block of a language, and a change has its text once', () => {
  const page = 'A\n```nginx\nlocation / {}\n```\n```\nnpm start\n```\n';
  expect(findBlock(page, 'nginx')).toBe('location / {}\n');
  expect(() => findBlock(page, 'caddyfile')).toThrow('0 blocks of caddyfile');
  expect(() => findBlock(page + page, 'nginx')).toThrow('2 blocks of nginx');
  expect(rewrite('a $1 b', [['b', '$1']])).toBe('a $1 $1');
  expect(() => rewrite('a', [['b', 'c']])).toThrow('is not there once');
  expect(() => rewrite('a a', [['a', 'c']])).toThrow('is not there once');
});

test('the page of the operator has the changes of each set-up, and passes on to the server', () => {
  const tls = { cert: '/cert', key: '/key', both: '/both' };
  for (const { hops, is_https } of [...SET_UPS, HELD_BACK])
    for (const hop of hops) {
      const line = { port: 4001, target: 4002, folder: '/scratch', tls: is_https ? tls : undefined };
      const text = configure(hop, line);
      expect(text).toContain('127.0.0.1:4002');
      expect(text).toMatch(/\b4001\b/);
      expect(text).not.toMatch(/\b8000\b|club\.example/);
    }
});

test.each(['nginx', 'haproxy', 'caddy'] as const)('the page has the lines of %s for two nodes', (program) => {
  const text = configure({ program }, { port: 4001, target: 4002, second_target: 4003, folder: '/scratch' });
  expect(text).toContain('127.0.0.1:4002');
  expect(text).toContain('127.0.0.1:4003');
  expect(text).not.toMatch(/\b800[01]\b|club\.example/);
  expect(text.match(/^backend /gm)?.length).toBe(program === 'haproxy' ? 1 : undefined);
});
