import { parseArgs } from 'node:util';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { type Flag, listFlags } from '#api/modules/activities/score/flags.ts';
import { withdrawByOperator } from '#api/modules/activities/score/review.ts';
import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_REFUSED, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- validations review [--withdraw <decision-id>]... [--json]

Lists what an operator should look at: pairs who confirm each other, scanners with many suspect refusals, referees who
only reject, and those who confirm one athlete only. A flag decides nothing.

  --withdraw <id>  take a decision in force back, however old: the points go, and the activity needs another proof;
                   may be given several times
  --json           print flags, or what became of the decisions, as JSON

Exit code: 0 listed or withdrawn, 1 a decision is not there or not in force, 2 wrong usage.
`;

export const command: Command = {
  noun: 'validations',
  verb: 'review',
  summary: 'List what looks wrong, take decisions back',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  if (wish.withdraw.length === 0) {
    const flags = await listFlags(database);
    stdout.write(wish.json ? `${JSON.stringify({ flags })}\n` : describeAll(flags));
    return EXIT_OK;
  }
  const results: Result[] = [];
  for (const id of wish.withdraw) results.push(await withdraw(database, id));
  if (wish.json) stdout.write(`${JSON.stringify({ results })}\n`);
  for (const { id, refusal } of results) {
    if (refusal !== null) stderr.write(`${id}: ${refusal}\n`);
    else if (!wish.json) stdout.write(`${id} is withdrawn.\n`);
  }
  return results.every(({ refusal }) => refusal === null) ? EXIT_OK : EXIT_REFUSED;
}

interface Result {
  id: string;
  refusal: string | null;
}

async function withdraw(database: Database, id: string): Promise<Result> {
  try {
    await withdrawByOperator(database, id);
    return { id, refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, refusal: error.message };
  }
}

function describeAll(flags: Flag[]): string {
  if (flags.length === 0) return 'Nothing to look at.\n';
  return flags.map((flag) => `${describe(flag)}\n${flag.decisions.map((id) => `    ${id}\n`).join('')}`).join('');
}

function describe({ kind, scanner, athlete, count, since }: Flag): string {
  const day = since.slice(0, 10);
  const words: Record<Flag['kind'], string> = {
    reciprocal_pair: `${scanner} confirmed ${athlete} ${count} times, and ${athlete} confirmed ${scanner} too`,
    many_refusals: `${scanner} had ${count} scans that look made up or came from far away`,
    only_rejections: `${scanner} rejected all ${count} activities that they decided about`,
    one_athlete: `${scanner} confirmed ${count} activities, all of ${athlete}`,
  };
  return `${kind}: ${words[kind]}, since ${day}.`;
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): { withdraw: string[]; json: boolean } | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        withdraw: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
      },
    });
    const { withdraw: ids, json } = values;
    const unreadable = ids.find((id) => !isUuidV4(id));
    return unreadable === undefined
      ? { withdraw: ids.map((id) => id.toLowerCase()), json }
      : `${unreadable} is not the id of a decision.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
