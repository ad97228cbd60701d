import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLinks } from './chat-links.ts';

const hrefs = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

describe('is no link', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://files.example.com/x',
    'mailto:bea@example.com',
    'bea@example.com',
    'example.com',
    'https://google.com@evil.example',
    'https://user:secret@evil.example/x',
    'https://exa\u202Emple.com/gpj.exe',
    'https://',
    'vbscript:msgbox(1)',
    '//evil.example/x',
  ])('%j', (text) => {
    expect(hrefs(text)).toEqual([]);
  });
});

test('web addresses are links, with the rest as text', () => {
  expect(splitLinks('See https://wall.example/a?b=1, or www.pool.es.')).toMatchObject([
    { text: 'See ', href: null, host: null },
    { text: 'https://wall.example/a?b=1', href: 'https://wall.example/a?b=1', host: null },
    { text: ', or ', href: null, host: null },
    { text: 'www.pool.es', href: 'https://www.pool.es/', host: null },
    { text: '.', href: null, host: null },
  ]);
});

test('a host in letters of another script is shown as the browser resolves it', () => {
  expect(splitLinks('https://аpple.com/')).toMatchObject([
    { href: 'https://xn--pple-43d.com/', host: 'xn--pple-43d.com' },
  ]);
});

test('whatever is written, nothing of it is lost, and no link leads anywhere but to the web', () => {
  const word = fc.constantFrom(
    'https://a.example',
    'http://',
    'www.',
    'javascript:',
    '@',
    '.',
    ' ',
    '\u202E',
    '<b>',
    'ñ',
    '🧗',
  );
  // Any character: fast-check's own 'binary' takes a second to prepare all of them, on a busy machine many.
  const unit = fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((code_point) => code_point < 0xd800 || code_point > 0xdfff)
    .map((code_point) => String.fromCodePoint(code_point));
  const text = fc.oneof(
    fc.string({ unit }),
    fc.array(word).map((words) => words.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      expect(
        splitLinks(written)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(written);
      for (const href of hrefs(written)) expect(href).toMatch(/^https?:\/\/[^/@]+(\/|$|\?|#)/);
    }),
  );
});
