import { readFileSync } from 'node:fs';

const INLINE = [
  // The server allows the import map by its hash.
  { what: 'an inline script', pattern: /<script(?![^>]*\ssrc=)(?! type="importmap">)[^>]*>/i },
  { what: 'an inline style sheet', pattern: /<style[\s>]/i },
  { what: 'a style attribute', pattern: /\sstyle="/i },
  { what: 'an inline handler', pattern: /\son[a-z]+="/i },
];

/** Throws if a page contains something that the content security policy would block. */
export function checkInline(file: string): void {
  const html = readFileSync(file, 'utf8');
  for (const { what, pattern } of INLINE) if (pattern.test(html)) throw new Error(`${file} holds ${what}`);
}
