import { type ListedOperator, listOperators } from '#api/modules/operators/service.ts';
import { defineCommand, toTerminalSafeJson } from './command.ts';

export const command = defineCommand({
  noun: 'operators',
  verb: 'list',
  summary: 'list the operators of this server',
  description:
    'Lists the operators, the longest-serving first: public id, name, since when, and whether the account is locked.',
  json: 'the operators',
  exit_codes: '0 listed',
  async run({ database }) {
    const operators = await listOperators(database);
    return { data: { operators }, text: operators.map(describe).join('') || 'There is no operator.\n' };
  },
});

/** Quotes the name, so that it cannot draw on the terminal. */
function describe({ public_id, name, granted_at, is_locked }: ListedOperator): string {
  const lock = is_locked ? ', locked' : '';
  return `${public_id}  ${toTerminalSafeJson(name)}  since ${granted_at.toISOString()}${lock}\n`;
}
