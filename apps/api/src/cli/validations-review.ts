import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import type { Database } from '#api/database/database.ts';
import { withdrawByOperator } from '#api/modules/activities/operator-withdrawals.ts';
import { type Flag, listFlags } from '#api/modules/activities/points/flags.ts';
import { AppError } from '#api/platform/errors.ts';
import { type CommandResult, defineCommand } from './command.ts';

export const command = defineCommand({
  noun: 'validations',
  verb: 'review',
  summary: 'list suspicious decisions, take decisions back',
  description: `Lists what an operator should look at: pairs who confirm each other, scanners with many suspect scans, referees who
only reject, scanners who confirm one athlete only, and accounts that used the same codes of a kiosk. A flag changes nothing.`,
  json: 'the flags, or the outcome of each withdrawal,',
  exit_codes:
    '0 listed or withdrawn, 1 a decision does not exist, is not in force, or its time is taken by another activity',
  declare: () =>
    new Command().option(
      '--withdraw <id>',
      'take back a decision in force, of any age: the points go, and the activity needs another proof; may be repeated',
      parseDecisionId,
      [] as string[],
    ),
  async run({ database }, { withdraw: ids }) {
    if (ids.length > 0) return withdrawAll(database, ids);
    const flags = await listFlags(database);
    return { data: { flags }, text: flags.map(describe).join('') || 'Nothing to look at.\n' };
  },
});

function parseDecisionId(id: string, previous: string[]): string[] {
  if (!isUuidV4(id)) throw new InvalidArgumentError(`${id} is not the id of a decision.`);
  return [...previous, id.toLowerCase()];
}

async function withdrawAll(database: Database, ids: string[]): Promise<CommandResult> {
  const results: { id: string; refusal: string | null }[] = [];
  for (const id of ids) results.push({ id, refusal: await withdrawDecision(database, id) });
  const refused = results.filter(({ refusal }) => refusal !== null);
  return {
    data: { results },
    text: results.map(({ id, refusal }) => (refusal === null ? `${id} is withdrawn.\n` : '')).join(''),
    problems: refused.map(({ id, refusal }) => `${id}: ${refusal}\n`).join(''),
    has_failed: refused.length > 0,
  };
}

/** Returns why the decision cannot be withdrawn, or null if it was. */
async function withdrawDecision(database: Database, id: string): Promise<string | null> {
  try {
    await withdrawByOperator(database, id);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

function describe({ kind, scanner, athlete, count, since, decisions }: Flag): string {
  const words: Record<Flag['kind'], string> = {
    reciprocal_pair: `${scanner} confirmed ${athlete} ${count} times, and ${athlete} confirmed ${scanner} too`,
    many_refusals: `${scanner} had ${count} suspect scans: refused ones that look made up or came too soon after one another, and any from far away`,
    only_rejections: `${scanner} rejected all ${count} activities that they decided about`,
    one_athlete: `${scanner} confirmed ${count} activities, all of ${athlete}`,
    shared_codes: `${athlete} used the same two codes of a kiosk as ${scanner} on ${count} visits`,
  };
  return `${kind}: ${words[kind]}, since ${since.slice(0, 10)}.\n${decisions.map((id) => `    ${id}\n`).join('')}`;
}
