import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hop } from '../e2e/proxies/configurations.ts';
import { installProxies } from '../e2e/proxies/run-proxy.ts';
import { findFaults } from '../e2e/rolling/find-faults.ts';
import { print, printHeading } from '../e2e/rolling/print.ts';
import { type Arm, type ArmOptions, runArm } from '../e2e/rolling/run-arm.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { ROOT } from '../tools/project/project.ts';
import { createScratch } from './planted/scratch.ts';

const NGINX: Hop = { program: 'nginx' };
const HAPROXY: Hop = { program: 'haproxy' };
const CADDY: Hop = { program: 'caddy' };
const FULL = { restarts: sized(4, 2), least_requests: sized(10_000, 0), kills: 2, database_restarts: sized(2, 1) };
const SHORT = { least_requests: 0, kills: 0, database_restarts: 0 };
const PACE_MS = 100;
const LATER_MIGRATION = '999-later';
/** Of the kind that fits two versions at once: it adds, and changes nothing. */
const LATER_SQL = `alter table users add column later integer default 7;
alter table messages add column later text;
create index on activities (started_at, status);`;
const MAX_KILL_SPAN_MS = 1_000;
const MAX_BACK_MS = 2_000;

interface Control {
  name: string;
  hop: Hop;
  restarts: number;
  stop: ArmOptions['stop'];
  pace_ms: number;
  env?: Record<string, string>;
}

const CONTROLS: Control[] = [
  { name: 'SIGKILL in place of SIGTERM', hop: NGINX, restarts: 2, stop: 'SIGKILL', pace_ms: 0 },
  ...[
    { name: 'without option redispatch', hop: without(HAPROXY, '  option redispatch 1\n') },
    { name: 'without health_uri', hop: without(CADDY, '    health_uri /readyz\n    health_interval 500ms\n') },
    { name: 'without DRAIN_S', hop: CADDY, env: { DRAIN_S: '0' } },
  ].map((one) => ({ ...one, restarts: 1, stop: 'SIGTERM' as const, pace_ms: PACE_MS })),
];

/**
 * Two nodes on one PostgreSQL behind nginx, HAProxy and Caddy with the page's lines for two nodes, under reads and
 * writes: a rolling restart must fail no request, a killed node those of a second at most, and a restart of PostgreSQL
 * must give nothing but 503. Control arms: a node is killed instead of drained, one ends at once, and proxies without
 * the lines that the page adds to their defaults.
 */
export async function run(_flags: object, { only }: { only?: string } = {}): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const installed = await installProxies();
  if ('missing' in installed) {
    sheet.skipPeer('nginx, HAProxy, Caddy', installed.missing);
    return sheet.figures;
  }
  const { folder: packages } = installed;
  const isChosen = ({ program }: Hop) => only === undefined || program === only;
  printHeading();
  const faults: string[] = [];
  for (const hop of [NGINX, HAPROXY, CADDY].filter(isChosen)) {
    const arm = await runArm({ packages, hop, ...FULL, stop: 'SIGTERM', pace_ms: PACE_MS });
    print(hop.program, arm);
    addFigures(sheet, hop.program, arm);
    faults.push(...findFaults(arm).map((fault) => `${hop.program}: ${fault}`));
  }
  if (only === undefined || only === 'upgrade') faults.push(...(await upgrade(sheet, packages)));
  for (const fault of faults) console.log(`   ! ${fault}`);
  if (faults.length > 0) throw new Error(`${faults.length} findings`);
  for (const { name, ...options } of CONTROLS.filter(({ hop }) => isChosen(hop))) {
    const arm = await runArm({ packages, ...SHORT, ...options });
    print(options.hop.program, arm);
    const { requests, failures } = arm.rolling;
    sheet.control(name, failures.length > 0, `${failures.length} of ${requests} failed`);
  }
  return sheet.figures;
}

/** Restarts both nodes as a later version, whose migration the first one runs while the other one serves. */
async function upgrade(sheet: FigureSheet, packages: string): Promise<string[]> {
  const later = createScratch(ROOT);
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-upgrade-'));
  try {
    becomeLater(later.root);
    const env = { BACKUP_KEEP: '1', BACKUP_DIR: folder };
    const options = { ...SHORT, hop: NGINX, restarts: 2, stop: 'SIGTERM' as const, pace_ms: PACE_MS };
    const arm = await runArm({ packages, ...options, env, later_root: later.root });
    print('upgrade', arm);
    const { rolling } = arm;
    const backups = readdirSync(folder).filter((name) => name === `before-${LATER_MIGRATION}.sendlap`);
    const figure = `${rolling.failures.length} of ${rolling.requests} failed, ${backups.length} backup before the migration`;
    sheet.add('upgrade', figure);
    return [...findFaults(arm), ...(backups.length === 1 ? [] : ['no backup'])].map((fault) => `upgrade: ${fault}`);
  } finally {
    later.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes this tree that of a later version, with one more migration. */
function becomeLater(root: string): void {
  const path = join(root, 'apps/api/package.json');
  const own = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  writeFileSync(path, JSON.stringify({ ...own, version: `${own.version}-later` }));
  writeFileSync(join(root, `apps/api/src/migrations/${LATER_MIGRATION}.sql`), LATER_SQL);
}

/** Returns the proxy with the page's configuration, but for these lines. */
function without(hop: Hop, lines: string): Hop {
  return { ...hop, changes: [[lines, '']] };
}

function addFigures(
  sheet: FigureSheet,
  name: string,
  { rolling, kill, database, lost, doubled, acknowledged }: Arm,
): void {
  sheet.add(
    `${name}, restarts`,
    `${rolling.failures.length} of ${rolling.requests} failed in ${rolling.faults} restarts`,
  );
  sheet.goal(`${name}, errors after kill -9`, kill.span_ms, { at_most: MAX_KILL_SPAN_MS }, ' ms');
  sheet.goal(`${name}, back after PostgreSQL`, database.span_ms, { at_most: MAX_BACK_MS }, ' ms');
  sheet.add(`${name}, writes`, `${lost} lost, ${doubled} doubled of ${acknowledged}`);
}
