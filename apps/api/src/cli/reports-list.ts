import { parseArgs } from 'node:util';
import { listReports, type Report } from '#api/modules/reports/store.ts';
import { type Command, type CommandContext, EXIT_OK, EXIT_USAGE } from './command.ts';

const usage = `npm run sendlap -- reports list [--json]

Lists what people reported of others, newest first: who, whom, why, and the messages that they pointed at. Nobody else sees
them. Whoever was erased stands as deleted-user.

  --json   print the reports as JSON

Exit code: 0 listed, 2 wrong usage.
`;

export const command: Command = {
  noun: 'reports',
  verb: 'list',
  summary: 'List what people reported of others',
  usage,
  run,
};

async function run(args: string[], { database, stdout, stderr }: CommandContext): Promise<number> {
  const wish = parse(args);
  if (typeof wish === 'string') {
    stderr.write(`${wish}\n\n${usage}`);
    return EXIT_USAGE;
  }
  const reports = await listReports(database);
  stdout.write(wish.json ? `${quote({ reports })}\n` : describeAll(reports));
  return EXIT_OK;
}

function describeAll(reports: Report[]): string {
  return reports.length === 0 ? 'Nothing was reported.\n' : reports.map(describe).join('');
}

/** Texts of people in quotes, so that none can draw on the terminal or pass for a line of ours. */
function describe({ created_at, reporter, reported, reason, text, messages }: Report): string {
  const head = `${created_at}  ${reporter} reported ${reported}: ${reason}${text === null ? '' : ` ${quote(text)}`}`;
  const lines = messages.map((message) => `    ${message.created_at}  ${message.sender}: ${quote(message.text)}`);
  return `${[head, ...lines].join('\n')}\n`;
}

/** Any JSON in printable characters: it leaves those behind U+007E, and what turns the direction of writing, as they are. */
function quote(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f]|\p{Bidi_Control}/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What was asked for, or what is wrong with the words. */
function parse(args: string[]): { json: boolean } | string {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
