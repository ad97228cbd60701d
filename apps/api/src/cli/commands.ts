import { readdir } from 'node:fs/promises';
import type { Command } from './command.ts';

/**
 * Every file here that is called `<noun>-<verb>.ts` or `<noun>/<verb>.ts` is a command. Loads the one that the arguments
 * name; all of them for help, and for arguments that name none.
 */
export async function loadCommands([noun = '', verb = '']: string[]): Promise<Command[]> {
  const files = (await readdir(new URL('./', import.meta.url), { recursive: true }))
    .filter((name) => /^[a-z]+[-/][a-z-]+\.ts$/.test(name))
    .sort();
  const named = files.find((file) => [`${noun}-${verb}.ts`, `${noun}/${verb}.ts`, `${noun}/${noun}.ts`].includes(file));
  const modules = (named ? [named] : files).map(
    (file) => import(new URL(file, import.meta.url).href) as Promise<{ command: Command }>,
  );
  return (await Promise.all(modules)).map((module) => module.command);
}
