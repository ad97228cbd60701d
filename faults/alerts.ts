import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, findOnPath, isDebian, unpackPackages } from '../apps/api/test/debian-packages.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { ROOT } from '../tools/project/project.ts';

const start = promisify(execFile);
const RULES = join(ROOT, 'deploy/metrics/alerts.yaml');
const CASES = join(ROOT, 'faults/alerts/rules-test.yaml');
const EXPRESSION = /^( +- alert: (\w+)\n +expr: ).+$/gm;
/** An expression that is never true. */
const SILENT = 'vector(0) > 1';

/**
 * Each alert rule fires on the values of a node in trouble, and on none of a healthy one, by Prometheus' own `promtool`.
 * Control arm: a rule that never fires is found.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const promtool = await findOrInstallPromtool();
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-alerts-'));
  try {
    const rules = readFileSync(RULES, 'utf8');
    const alerts = [...rules.matchAll(EXPRESSION)].map(([, , name = '']) => name);
    cpSync(CASES, join(folder, 'rules-test.yaml'));
    const test = (text: string) => {
      writeFileSync(join(folder, 'alerts.yaml'), text);
      return promtool(folder, ['test', 'rules', 'rules-test.yaml']);
    };
    const problem = (await test(rules)) ?? (await promtool(folder, ['check', 'rules', 'alerts.yaml']));
    if (problem !== undefined) console.log(`   ! ${problem}`);
    sheet.add('alerts that fire', `${problem === undefined ? alerts.length : 0} of ${alerts.length}`);
    if (problem !== undefined) throw new Error('the alert rules do not do as they should');
    let found = 0;
    for (const alert of alerts) {
      const silenced = rules.replace(EXPRESSION, (whole, head: string, name: string) =>
        name === alert ? head + SILENT : whole,
      );
      if ((await test(silenced)) !== undefined) found += 1;
      else console.log(`   without ${alert}: no problem`);
    }
    sheet.control('a rule that never fires', found === alerts.length, `${found} of ${alerts.length} found`);
    return sheet.figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs `promtool` in a folder. Returns its complaint; undefined without a complaint. */
type Promtool = (cwd: string, args: string[]) => Promise<string | undefined>;

/** Finds the program on PATH, or unpacks Debian's package into the cache. Throws if neither is there. */
async function findOrInstallPromtool(): Promise<Promtool> {
  const folder = cacheFolder('prometheus');
  const unpacked = join(folder, 'usr/bin/promtool');
  const found = findOnPath('promtool');
  if (found === undefined && !existsSync(unpacked)) {
    if (!isDebian()) throw new Error('promtool is missing: install Prometheus');
    await unpackPackages(['prometheus'], folder);
  }
  return async (cwd, args) => {
    try {
      await start(found ?? unpacked, args, { cwd });
      return undefined;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      return stderr + stdout || String(error);
    }
  };
}
