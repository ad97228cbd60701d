import { stripVTControlCharacters } from 'node:util';
import type { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLogger, toReadable } from './logger.ts';

/** Returns a logger's output as a terminal without colors shows it. */
function readable(log: (logger: pino.Logger) => void): string {
  let text = '';
  log(
    createLogger('info', true, {
      write(line: string) {
        text += stripVTControlCharacters(toReadable(line));
      },
    }),
  );
  return text;
}

test('a line on a terminal has the time, the level, the message, the id of a request and its path without the query', () => {
  const req = { method: 'GET', url: '/v1/sport-centers?near=43.26,-2.93' };
  const text = readable((logger) =>
    logger.child({ node: 'here:8000' }).info({ request_id: 'a1', req }, 'request completed'),
  );
  expect(text).toMatch(
    /^\d\d:\d\d:\d\d INFO request completed \{ request_id: 'a1', req: \{ method: 'GET', path: '\/v1\/sport-centers' \} \}\n$/,
  );
});

test('an error is shown with its stack, below its message', () => {
  const text = readable((logger) => logger.error({ err: new Error('no disk') }, 'could not write'));
  expect(text).toMatch(/^\d\d:\d\d:\d\d ERROR could not write\nError: no disk\n\s+at /);
});
