import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createOutput } from '#test/run-verb.ts';
import { readPassphrase, refuseByMessage } from './texts.ts';

const PASSPHRASE = 'correct horse battery staple';

/** A terminal's standard input, and whether it shows the typed text. */
function openTerminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (is_raw: boolean) => modes.push(is_raw) });
  return { stdin, modes };
}

test('on a terminal the passphrase is one line, asked for and not shown', async () => {
  const { stdin, modes } = openTerminal();
  const { texts, streams } = createOutput();
  const reading = readPassphrase({ stdin, ...streams });
  stdin.write(`${PASSPHRASE}\r`);
  expect(await reading).toBe(PASSPHRASE);
  expect([texts.stderr, texts.stdout, modes]).toEqual(['Passphrase of the backup: \n', '', [true, false]]);
});

test('a new one is asked for twice, and two that differ are refused', async () => {
  for (const [second, ending] of [
    [PASSPHRASE, 'the same'],
    ['correct horse battery stable', 'refused'],
  ] as const) {
    const { stdin } = openTerminal();
    const { texts, streams } = createOutput();
    const reading = readPassphrase({ stdin, ...streams }, 'new');
    stdin.write(`${PASSPHRASE}\r`);
    await expect.poll(() => texts.stderr).toContain('The same again: ');
    stdin.write(`${second}\r`);
    if (ending === 'the same') expect(await reading).toBe(PASSPHRASE);
    else await expect(reading).rejects.toThrow('The two passphrases differ: nothing was done.');
    expect(texts.stderr).toBe('New passphrase, at least 12 characters: \nThe same again: \n');
  }
});

test('Ctrl+C at the question ends the verb, and changes nothing', async () => {
  const { stdin } = openTerminal();
  const reading = readPassphrase({ stdin, ...createOutput().streams });
  stdin.write('corr\u0003');
  await expect(reading).rejects.toThrow('No passphrase was given: nothing was done.');
});

test('from a file or another program it is the whole input, without its last newline', async () => {
  const { texts, streams } = createOutput();
  const stdin = Readable.from([Buffer.from(`${PASSPHRASE}\n`)]);
  expect([await readPassphrase({ stdin, ...streams }, 'new'), texts.stderr]).toEqual([PASSPHRASE, '']);
  const short = readPassphrase({ stdin: Readable.from([Buffer.from('short')]), ...streams });
  await expect(short).rejects.toThrow('The passphrase has fewer than 12 characters.');
});

test('a file that disappears is named, and no outage of the database', async () => {
  const missing = rename('/none/such.partial', '/none/such.sendlap');
  await expect(refuseByMessage(missing)).rejects.toThrow('/none/such.partial cannot be read or written (ENOENT).');
  const no_socket = new Promise((_resolve, reject) => connect('/none/.s.PGSQL.5432').once('error', reject));
  await expect(refuseByMessage(no_socket)).rejects.toThrow('The database cannot be reached any longer: run it again.');
});

test('a database without room for another lock refuses, and is not reported as unreachable', async () => {
  const refuse = (code: string) => {
    const error = Object.assign(new pg.DatabaseError('out of shared memory', 0, 'error'), { code });
    return expect(refuseByMessage(Promise.reject(error))).rejects;
  };
  await refuse('53200').toThrow('The database refuses: out of shared memory.');
  await refuse('53300').toThrow('The database cannot be reached any longer: run it again.');
});
