import { expect, test } from 'vitest';
import { importParseReturnPath } from './return-paths.ts';

test('the program attacks the function that the web app uses, which no type check sees', async () => {
  const parseReturnPath = await importParseReturnPath();
  const origin = 'http://localhost:8000';
  expect([parseReturnPath('/dashboard', origin), parseReturnPath('//evil.example', origin)]).toEqual([
    '/dashboard',
    null,
  ]);
});
