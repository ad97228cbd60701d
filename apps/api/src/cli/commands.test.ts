import { expect, test } from 'vitest';
import { loadCommands } from './commands.ts';

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
