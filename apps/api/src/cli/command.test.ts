import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { createOutput } from '#test/run-verb.ts';
import {
  defineCommand,
  defineStandaloneCommand,
  loadCommands,
  RefusedError,
  runProgram,
  UsageError,
} from './command.ts';

const open = defineCommand({
  noun: 'doors',
  verb: 'open',
  summary: 'open a door',
  description: 'Opens a door.',
  json: 'the door',
  exit_codes: '0 open, 1 locked',
  declare: () =>
    new Command().argument('<door>', 'its name').requiredOption('--key <key>', 'its key').option('--wide', ''),
  async run(_context, { key, wide }, door) {
    if (key === 'other') throw new RefusedError(`${door} is locked.`);
    if (key === 'broken') throw new Error('the key broke');
    if (wide && door === 'safe') throw new UsageError('A safe does not open wide.');
    return { data: { door, text: '\u009b' }, text: `${door} is open.\n`, problems: wide ? 'It squeaks.\n' : '' };
  },
});
const count = defineStandaloneCommand({
  noun: 'doors',
  verb: 'count',
  summary: 'count the doors',
  description: 'Counts the doors\nof the house.',
  json: 'the count',
  exit_codes: '0 counted',
  declare: () => new Command(),
  run: async () => ({ data: 2, text: '2\n' }),
});

let opened = 0;

async function run(...args: string[]) {
  const { texts, streams } = createOutput();
  opened = 0;
  const code = await runProgram([open, count], args, {
    ...streams,
    is_tty: false,
    useDatabase: (work) => {
      opened += 1;
      return work({} as never);
    },
  });
  return { code, ...texts, opened };
}

test.each([
  [[], 'doors'],
  [['doors'], 'open [options] <door>'],
  [['windows'], "unknown command 'windows'"],
  [['door'], 'Did you mean doors?'],
  [['doors', 'opne'], 'Did you mean open?'],
  [['doors', 'open', '--key', 'its'], "missing required argument 'door'"],
  [['doors', 'open', 'front'], "required option '--key <key>' not specified"],
  [['doors', 'open', 'front', '--key', 'its', '--wid'], 'Did you mean --wide?'],
  [['doors', 'open', 'front', 'back', '--key', 'its'], 'too many arguments'],
  [['doors', 'open', 'safe', '--key', 'its', '--wide'], 'A safe does not open wide.'],
  [['--fast'], "unknown option '--fast'"],
])('%j is wrong usage: exit code 2, the reason and the usage on stderr alone', async (args, reason) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('Usage: npm run sendlap -- ');
});

test.each([
  [['--help'], ['doors', 'open, count', '--version']],
  [['help'], ['doors']],
  [
    ['doors', '--help'],
    ['open a door', 'count the doors'],
  ],
  [
    ['doors', 'open', '--help'],
    ['doors open <door> --key <key> [options]', 'its name', 'print the door as JSON', '0 open'],
  ],
  [['--version'], ['0.1.0']],
])('%j prints help or version on stdout, ends with 0, and opens no database', async (args, parts) => {
  const result = await run(...args);
  expect(result).toMatchObject({ code: 0, stderr: '', opened: 0 });
  for (const part of parts) expect(result.stdout).toContain(part);
});

test('a result is printed as text or as JSON of printable characters, problems on stderr', async () => {
  expect(await run('doors', 'open', 'front', '--key', 'its', '--wide')).toEqual({
    ...{ code: 0, stdout: 'front is open.\n', stderr: 'It squeaks.\n', opened: 1 },
  });
  const { stdout } = await run('doors', 'open', 'front', '--key', 'its', '--json');
  expect(stdout).toBe('{"door":"front","text":"\\u009b"}\n');
});

test('a verb without a database opens none', async () => {
  expect(await run('doors', 'count')).toEqual({ code: 0, stdout: '2\n', stderr: '', opened: 0 });
});

test('a refusal ends with 1 and its message alone; an unexpected error is thrown', async () => {
  const refusal = { code: 1, stdout: '', stderr: 'front is locked.\n' };
  expect(await run('doors', 'open', 'front', '--key', 'other', '--json')).toMatchObject(refusal);
  await expect(run('doors', 'open', 'front', '--key', 'broken')).rejects.toThrow('the key broke');
});

test('the help does not break the lines of a description where the source does', async () => {
  const { stdout } = await run('doors', 'count', '--help');
  expect(stdout).toContain('Counts the doors of the house.');
});

const all = await loadCommands([]);

test('arguments that name no verb load every verb, for the help', async () => {
  expect(all.length).toBeGreaterThan(20);
  for (const args of [['--help'], ['referees'], ['referees', 'nope'], ['nope']])
    expect(await loadCommands(args)).toEqual(all);
});

test.each(all.map(({ noun, verb }) => [noun, verb]))('%s %s is loaded alone', async (noun, verb) => {
  const words = noun === verb ? [noun, '--json'] : [noun, verb, '--json'];
  expect(await loadCommands(words)).toEqual([all.find((one) => one.noun === noun && one.verb === verb)]);
});
