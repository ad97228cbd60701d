import { listReports, type PrintedReport } from '#api/modules/reports/store.ts';
import { defineCommand, toTerminalSafeJson } from './command.ts';

export const command = defineCommand({
  noun: 'reports',
  verb: 'list',
  summary: 'list reports about users',
  description: `Lists the reports, newest first: reporter, reported user, reason, and the messages that the reporter selected. Only the
operator sees them. An erased user appears as deleted-user.`,
  json: 'the reports',
  exit_codes: '0 listed',
  async run({ database }) {
    const reports = await listReports(database);
    return { data: { reports }, text: reports.map(describe).join('') || 'Nothing was reported.\n' };
  },
});

/** Quotes users' texts, so that none of them can draw on the terminal or imitate one of our lines. */
function describe({ created_at, reporter, reported, reason, text, messages }: PrintedReport): string {
  const head = `${created_at}  ${reporter} reported ${reported}: ${reason}${text === null ? '' : ` ${toTerminalSafeJson(text)}`}`;
  const lines = messages.map(
    (message) => `    ${message.created_at}  ${message.sender}: ${toTerminalSafeJson(message.text)}`,
  );
  return `${[head, ...lines].join('\n')}\n`;
}
