import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createImagePdf } from './image-pdf.ts';

test('a PDF of one page, whose objects are where its table says, with the image unchanged', async () => {
  const gray = Uint8Array.from({ length: 6 }, (_, dot) => dot * 50);
  const page = { width: 3, height: 2, gray, width_mm: 210, height_mm: 297, title: 'Peñota 東京', language: 'es' };
  const bytes = Buffer.from(await (await createImagePdf(page)).arrayBuffer());
  const text = bytes.toString('latin1');
  const table_at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(table_at, table_at + 4)).toBe('xref');
  const offsets = [...text.slice(table_at).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  expect(offsets).toHaveLength(6);
  for (const [nth, offset] of offsets.entries())
    expect(text.slice(offset, offset + 8)).toMatch(new RegExp(`^${nth + 1} 0 obj`));
  expect(text).toContain('/MediaBox [0 0 595.28 841.89]');
  const [, length = '', start = ''] = /\/FlateDecode \/Length (\d+) >>\nstream\n()/d.exec(text) ?? [];
  expect(start).toBe('');
  const image_at = text.indexOf('stream\n', text.indexOf('FlateDecode')) + 7;
  expect([...inflateSync(bytes.subarray(image_at, image_at + Number(length)))]).toEqual([...gray]);
  expect(text.slice(image_at + Number(length)).startsWith('\nendstream')).toBe(true);
  const title = /\/Title <feff([0-9a-f]+)>/.exec(text)?.[1] ?? '';
  expect(
    title
      .match(/.{4}/g)
      ?.map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
      .join(''),
  ).toBe(page.title);
});
