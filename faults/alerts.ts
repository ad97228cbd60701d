import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, findOnPath, isDebian, unpackPackages } from '../apps/api/test/debian-packages.ts';
import { findFreePort } from '../apps/api/test/free-port.ts';
import { startServer } from '../e2e/server/server.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { ROOT } from '../tools/project/project.ts';

const RULES = join(ROOT, 'deploy/metrics/alerts.yaml');
const CASES = join(ROOT, 'faults/alerts/rules-test.yaml');
const EXPRESSION = /^( +- alert: (\w+)\n +expr: ).+$/gm;
/** OpenTelemetry's name of a gauge, which promtool takes for a histogram's. */
const KNOWN_COMPLAINT = /^db_client_connection_count .*"_count" suffix$/;
/** An expression that is never true. */
const SILENT = 'vector(0) > 1';

/**
 * Each alert rule fires on the values of a node in trouble, and on none of a healthy one, and a node's own metrics have
 * the form that Prometheus asks for, both by its own `promtool`. Control arm: a rule that never fires is found.
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
    const complaints = await checkMetrics(folder, promtool);
    for (const complaint of complaints) console.log(`   ! ${complaint}`);
    sheet.add("complaints about a node's metrics", String(complaints.length));
    if (complaints.length > 0) throw new Error("a node's metrics do not have the form that Prometheus asks for");
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

/** Returns what `promtool` complains about in the metrics of a new node, apart from names that others have chosen. */
async function checkMetrics(folder: string, promtool: Promtool): Promise<string[]> {
  const port = await findFreePort();
  const server = await startServer({ env: { METRICS_PORT: String(port) }, is_printing: false });
  try {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const complaint = (await promtool(folder, ['check', 'metrics'], metrics)) ?? '';
    return complaint
      .split('\n')
      .filter((line) => line !== '' && !/^(nodejs|process)_/.test(line) && !KNOWN_COMPLAINT.test(line));
  } finally {
    await server.remove();
  }
}

/** Runs `promtool` in a folder. Returns its complaint; undefined without a complaint. */
type Promtool = (cwd: string, args: string[], input?: string) => Promise<string | undefined>;

/** Finds the program on PATH, or unpacks Debian's package into the cache. Throws if neither is there. */
async function findOrInstallPromtool(): Promise<Promtool> {
  const folder = cacheFolder('prometheus');
  const unpacked = join(folder, 'usr/bin/promtool');
  const found = findOnPath('promtool');
  if (found === undefined && !existsSync(unpacked)) {
    if (!isDebian()) throw new Error('promtool is missing: install Prometheus');
    await unpackPackages(['prometheus'], folder);
  }
  return (cwd, args, input = '') =>
    new Promise((resolve) => {
      const child = execFile(found ?? unpacked, args, { cwd }, (error, stdout, stderr) =>
        resolve(error ? stderr + stdout || String(error) : undefined),
      );
      child.stdin?.end(input);
    });
}
