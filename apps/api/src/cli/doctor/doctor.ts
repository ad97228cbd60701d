import { examine } from '#api/doctor/doctor.ts';
import type { Finding } from '#api/doctor/finding.ts';
import type { SettingValue } from '#api/doctor/settings.ts';
import { VERSION } from '#api/platform/version.ts';
import { defineStandaloneCommand } from '../command.ts';

export const command = defineStandaloneCommand({
  noun: 'doctor',
  verb: 'doctor',
  summary: 'check settings, database, addresses and services',
  description: `Prints each setting with its source, without passwords and keys, and checks what the server needs: the database with its
rights and notifications, the secret, the public address from outside in and what address the server sees a caller at, the disk,
the clocks, mail, notifications, Overpass, streets, and the other nodes. Run it on the machine of the server, with the same settings.
Sends no mail, and changes nothing.`,
  json: 'the version, the settings and the findings',
  exit_codes: '0 nothing is broken, 1 something is',
  async run() {
    const { settings, findings } = await examine(process.env);
    const width = Math.max(...settings.map(({ name }) => name.length));
    const lines = settings.map((setting) => describeSetting(setting, width));
    return {
      data: { version: VERSION, settings, findings },
      text: `Sendlap ${VERSION}\n\n${lines.join('')}\n${findings.map(describeFinding).join('')}`,
      has_failed: findings.some(({ verdict }) => verdict === 'broken'),
    };
  },
});

function describeSetting({ name, value, source }: SettingValue, width: number): string {
  return source === 'unset' ? `${name.padEnd(width)} -\n` : `${name.padEnd(width)} ${value} (${source})\n`;
}

const VERDICT_LABELS: Record<Finding['verdict'], string> = { good: 'ok  ', lacking: 'note', broken: 'FAIL' };

function describeFinding({ check, verdict, detail }: Finding): string {
  return `${VERDICT_LABELS[verdict]} ${check.padEnd(9)} ${detail}\n`;
}
