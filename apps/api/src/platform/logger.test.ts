import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
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

test('a line of a log file is one JSON object with the time in ms since 1970, whatever was sent, and without credentials', () => {
  const lines: string[] = [];
  const logger = createLogger('info', false, { write: (line: string) => void lines.push(line) });
  const before = Date.now();
  const headers = { authorization: 'Bearer a-token', cookie: 'a=a-cookie' };
  logger.info({ headers, req: { method: 'GET', url: '/x\n{"level":60,"msg":"forged"}?code=a-code' } }, 'a\nb');
  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(line.trimEnd()).not.toContain('\n');
  expect(line).not.toMatch(/a-token|a-cookie|a-code/);
  const { time, level, msg } = JSON.parse(line);
  expect([level, msg, time >= before && time <= Date.now()]).toEqual([30, 'a\nb', true]);
});

test('a line goes to the standard output, and nowhere else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-log-'));
  const module = JSON.stringify(import.meta.resolve('./logger.ts'));
  const code = `import(${module}).then(({ createLogger }) => createLogger('info', false).warn('a word'))`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: folder });
  expect([stdout.split('\n').length, JSON.parse(stdout).msg, stderr]).toEqual([2, 'a word', '']);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('an error is shown with its stack, below its message', () => {
  const text = readable((logger) => logger.error({ err: new Error('no disk') }, 'could not write'));
  expect(text).toMatch(/^\d\d:\d\d:\d\d ERROR could not write\nError: no disk\n\s+at /);
});

test('an error of the database is logged without the row that it quotes', () => {
  let line = '';
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    ...{ code: '23505', detail: 'Key (email)=(ada@example.org) already exists.' },
    ...{ where: 'COPY users, line 1: "Ada  ada@example.org"' },
  });
  const destination = {
    write(text: string) {
      line = text;
    },
  };
  createLogger('info', false, destination).warn({ err: error }, 'it failed');
  expect(JSON.parse(line).err).toMatchObject({ type: 'Error', code: '23505', message: error.message });
  expect(line).not.toContain('ada@example.org');
});

test('an error about an address that cannot be read does not show it', () => {
  const lines: string[] = [];
  const logger = createLogger('info', false, { write: (line: string) => void lines.push(line) });
  try {
    new URL('postgres://ada:hu/sh@db/x');
  } catch (err) {
    logger.error({ err }, 'no');
  }
  expect(lines.join('')).toMatch(/Invalid URL/);
  expect(lines.join('')).not.toContain('hu/sh');
});
