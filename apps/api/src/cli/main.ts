import { readdir } from 'node:fs/promises';
import { readEnv, tellMistypedSettings } from '#api/env.ts';
import { openDatabase } from '#api/platform/database.ts';
import { createLogger } from '#api/platform/logger.ts';
import { prepareDatabase } from '#api/platform/prepare-database.ts';
import { StartError } from '#api/platform/start-error.ts';
import { openStorage } from '#api/platform/storage.ts';
import { type Command, EXIT_REFUSED, EXIT_USAGE, type StandaloneCommand } from './command.ts';

type AnyCommand = Command | StandaloneCommand;

/** Every file here that is called `<noun>-<verb>.ts` is a command. */
async function loadCommands(): Promise<AnyCommand[]> {
  const files = (await readdir(new URL('./', import.meta.url)))
    .filter((name) => /^[a-z]+-[a-z-]+\.ts$/.test(name))
    .sort();
  const modules = files.map((file) => import(new URL(file, import.meta.url).href) as Promise<{ command: AnyCommand }>);
  return (await Promise.all(modules)).map((module) => module.command);
}

function listCommands(commands: AnyCommand[]): string {
  const lines = commands.map(({ noun, verb, summary }) => `  ${`${noun} ${verb}`.padEnd(20)} ${summary}`);
  return `npm run sendlap -- <noun> <verb> [options]\n\n${lines.join('\n')}\n\nEach has --help.\n`;
}

async function main([noun, verb, ...args]: string[]): Promise<number> {
  const commands = await loadCommands();
  if (!noun || noun === '--help') {
    process.stdout.write(listCommands(commands));
    return noun ? 0 : EXIT_USAGE;
  }
  const command = commands.find((each) => each.noun === noun && each.verb === verb);
  if (!command) {
    process.stderr.write(`There is no command "${[noun, verb].join(' ').trim()}".\n\n${listCommands(commands)}`);
    return EXIT_USAGE;
  }
  if (args.includes('--help')) {
    process.stdout.write(command.usage);
    return 0;
  }
  tellMistypedSettings(process.env, process.stderr);
  if ('runAlone' in command) return command.runAlone(args, process, process.env);
  const env = readEnv(process.env);
  const storage = await openStorage(env, createLogger('warn', process.stderr.isTTY), 'operator');
  const database = openDatabase(storage.database_url, { is_unlimited: true });
  try {
    await prepareDatabase(storage);
    const { stdout, stderr } = process;
    return await command.run(args, { database, stdout, stderr, is_tty: stderr.isTTY });
  } finally {
    await database.destroy();
    await storage.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_REFUSED;
}
