import { BEFORE_JOURNEYS } from './check/quarantine.ts';
import { type CommandOutput, capture } from './project/project.ts';

const TOOLS = {
  biome: [
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    '--max-diagnostics=50',
    '.',
  ],
  types: ['node_modules/typescript/bin/tsc', '-b'],
  knip: ['node_modules/knip/bin/knip.js'],
  docs: ['tools/check/check-docs.ts'],
  paths: ['tools/check/check-doc-paths.ts'],
  rooms: ['tools/check/check-folders.ts'],
  words: ['tools/check/check-words.ts'],
  sports: ['tools/check/check-sports.ts'],
  tokens: ['tools/check/check-tokens.ts'],
  quarantine: ['tools/check/check-quarantine.ts'],
  spec: ['tools/spec/main.ts', '--verify', '--open'],
};

async function check(name: string, args: string[]): Promise<CommandOutput> {
  const started_at = performance.now();
  const outcome = await capture(process.execPath, args);
  const seconds = ((performance.now() - started_at) / 1000).toFixed(1);
  console.log(`${outcome.ok ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds} s`);
  return outcome;
}

// Playwright takes seconds to list the journeys; after a run of all, their report is checked instead.
const is_before_journeys = process.argv.includes(BEFORE_JOURNEYS);
const tools = Object.entries(TOOLS).filter(([name]) => name !== 'quarantine' || !is_before_journeys);
const outcomes = await Promise.all(tools.map(([name, args]) => check(name, args)));
for (const { ok, output } of outcomes) if (!ok) console.log(`\n${output.trim()}`);
if (outcomes.some(({ ok }) => !ok)) process.exitCode = 1;
