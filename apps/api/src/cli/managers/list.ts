import { Command } from '@commander-js/extra-typings';
import { type ListedManager, listManagers } from '#api/modules/managers/service.ts';
import { parseCenterId } from '../center.ts';
import { defineCommand, toTerminalSafeJson } from '../command.ts';

export const command = defineCommand({
  noun: 'managers',
  verb: 'list',
  summary: 'list the managers of sport centers',
  description: 'Lists the managers by center: public id, name, center, since when, and whether the account is locked.',
  json: 'the managers',
  exit_codes: '0 listed',
  declare: () => new Command().option('--center <center-id>', 'only the managers of this sport center', parseCenterId),
  async run({ database }, { center }) {
    const managers = await listManagers(database, center);
    return { data: { managers }, text: managers.map(describe).join('') || 'There is no manager.\n' };
  },
});

/** Quotes the names, so that they cannot draw on the terminal. */
function describe({ public_id, name, sport_center_id, sport_center_name, ...right }: ListedManager): string {
  const center = `${sport_center_id} ${toTerminalSafeJson(sport_center_name)}`;
  const lock = right.is_locked ? ', locked' : '';
  return `${public_id}  ${toTerminalSafeJson(name)}  ${center}  since ${right.granted_at.toISOString()}${lock}\n`;
}
