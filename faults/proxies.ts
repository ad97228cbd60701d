import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operator, openOperator } from '../apps/api/test/app/operator.ts';
import { makeCertificate } from '../apps/api/test/certificate.ts';
import { findFreePort } from '../apps/api/test/free-port.ts';
import type { Line } from '../e2e/proxies/configurations.ts';
import { printHeading, printRow } from '../e2e/proxies/print.ts';
import { installProxies, type RunningProxy, startProxy } from '../e2e/proxies/run-proxy.ts';
import { HELD_BACK, SET_UPS, type SetUp } from '../e2e/proxies/set-ups.ts';
import { findFault, judge, type Observation, SPOOFED_ATTEMPTS } from '../e2e/proxies/verdict.ts';
import { visit } from '../e2e/proxies/visit.ts';
import { startServer, type WholeServer } from '../e2e/server/server.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { ROOT } from '../tools/project/project.ts';

const SMALL_COUNT = 3;
const CONTROL_NAMES = ['too many counted: nginx', 'TCP mode, and one counted'];

/**
 * The server behind nginx, HAProxy and Caddy of Debian's packages, set up as the page of the operator says, and in all
 * the ways that are known to go wrong: it works, or doctor names the line to change, and the log too if limits can be
 * passed. Control arms: a proxy that holds the stream back, and settings by which false addresses pass the limit.
 */
export async function run(_flags: object, { only }: { only?: string } = {}): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const installed = await installProxies();
  if ('missing' in installed) {
    sheet.skipPeer('nginx, HAProxy, Caddy', installed.missing);
    return sheet.figures;
  }
  const store = await startServer({ env: { LOG_LEVEL: 'silent', BACKUP_KEEP: '0' }, is_printing: false });
  const operator = await openOperator(store.data_dir);
  const scratch = mkdtempSync(join(tmpdir(), 'sendlap-proxies-'));
  const bench: Bench = { packages: installed.folder, scratch, store, operator };
  try {
    const chosen = only === undefined ? SET_UPS : SET_UPS.filter(({ name }) => name.includes(only));
    const set_ups = sized(chosen, [...chosen.slice(0, SMALL_COUNT), ...chosen.filter(isControl)]);
    printHeading();
    const faults: string[] = [];
    const seen = new Map<string, Observation>();
    for (const set_up of set_ups) {
      const observation = await observe(bench, set_up);
      seen.set(set_up.name, observation);
      printRow(set_up.name, observation);
      const fault = findFault(set_up.expected, observation);
      if (fault !== undefined) faults.push(`${set_up.name}: ${fault}`);
    }
    for (const fault of faults) console.log(`   ! ${fault}`);
    const count = (verdict: string) => [...seen.values()].filter((one) => judge(one) === verdict).length;
    sheet.add(
      'set-ups',
      `${count('works')} work, ${count('named')} named, ${count('refused')} refused, ${count('silent')} silent`,
    );
    if (faults.length > 0) throw new Error(`${faults.length} set-ups did not end as they have to`);
    await runControls(
      bench,
      sheet,
      set_ups.filter(isControl).map(({ name }) => seen.get(name)?.passed),
    );
    return sheet.figures;
  } finally {
    await operator.close();
    await store.remove();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** `passed`: how many false addresses passed with each wrong setting that lets them pass; none if those were left out. */
async function runControls(bench: Bench, sheet: FigureSheet, passed: (number | undefined)[]): Promise<void> {
  const held_back = await observe(bench, HELD_BACK);
  printRow(HELD_BACK.name, held_back);
  const { message_ms: ms } = held_back;
  const late = ms === undefined ? 'no message within 4 s' : `a message after ${ms} ms`;
  sheet.control('proxy_ignore_headers X-Accel-Buffering', judge(held_back) === 'silent', late);
  if (passed.length === 0) return;
  const all_passed = passed.every((count) => count === SPOOFED_ATTEMPTS);
  sheet.control(
    'wrong TRUST_PROXY',
    all_passed,
    `${passed.join(' and ')} of ${SPOOFED_ATTEMPTS} false addresses passed`,
  );
}

const isControl = ({ name }: SetUp) => CONTROL_NAMES.includes(name);

interface Bench {
  /** Debian's packages, unpacked. */
  packages: string;
  scratch: string;
  /** Has the database of all servers. */
  store: WholeServer;
  operator: Operator;
}

/** Starts the proxies and then a server of its own behind them, and uses it. */
async function observe(bench: Bench, set_up: SetUp): Promise<Observation> {
  const { store, operator } = bench;
  await operator.database.deleteFrom('attempt_counts').execute();
  const ports: number[] = [];
  for (let nth = 0; nth <= set_up.hops.length; nth += 1) ports.push(await findFreePort());
  const [front = 0] = ports;
  const folder = mkdtempSync(join(bench.scratch, 'set-up-'));
  const tls = set_up.is_https ? writeCertificate(folder) : undefined;
  const url = `${tls ? 'https' : 'http'}://localhost:${front}`;
  const env = {
    ...{ PORT: String(ports.at(-1)), PUBLIC_URL: url + (set_up.path ?? ''), HOST: '127.0.0.1' },
    ...{ DATABASE_URL: store.database_url, SECRET: store.secret, BACKUP_KEEP: '0', DRAIN_S: '0', LOG_LEVEL: 'warn' },
    // Nothing leaves this machine.
    OVERPASS_URL: `http://127.0.0.1:${front}/none`,
    ...(tls ? { NODE_EXTRA_CA_CERTS: tls.cert } : {}),
    ...(set_up.trust_proxy === undefined ? {} : { TRUST_PROXY: set_up.trust_proxy }),
  };
  if (set_up.path !== undefined)
    return { refusal: refuseStart({ ...env, DATA_DIR: join(folder, 'data') }), doctor: [], log: [] };
  const running: RunningProxy[] = [];
  let server: WholeServer | undefined;
  try {
    for (const [nth, hop] of set_up.hops.entries()) {
      const line: Line = { port: ports[nth] ?? 0, target: ports[nth + 1] ?? 0, folder: join(folder, String(nth)) };
      running.push(await startProxy(bench.packages, hop, { ...line, tls: nth === 0 ? tls : undefined }));
    }
    server = await startServer({ env, is_printing: false });
    const place = { url, ca: tls?.pem, operator, silence_ms: set_up.silence_ms };
    const seen: Partial<Observation> = {};
    await visit(place, seen).catch((error: Error) => console.log(`     ${set_up.name}: ${error.message}`));
    const said = await server.sendlap('doctor').catch((error: Error) => error.message);
    return { ...seen, doctor: doctorLines(said), log: logLines(server.log()) };
  } finally {
    await server?.remove();
    for (const proxy of running) await proxy.stop();
  }
}

function writeCertificate(folder: string) {
  const { cert: pem, key } = makeCertificate();
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem'), both: join(folder, 'both.pem') };
  mkdirSync(folder, { recursive: true });
  writeFileSync(files.cert, pem);
  writeFileSync(files.key, key);
  writeFileSync(files.both, pem + key);
  return { pem, ...files };
}

/** Starts a server that has to end by itself. Returns its only line. */
function refuseStart(env: Record<string, string>): string {
  const program = ['apps/api/src/main.ts'];
  const { status, stderr } = spawnSync(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  return status === 1 ? stderr.toString().trim() : `it ended with code ${status}`;
}

/** Returns what doctor says of addresses, without the lines that are fine. */
function doctorLines(text: string): string[] {
  return [...text.matchAll(/^(?:note|FAIL) (?:address|proxy) +(.+)$/gm)].map(([, line = '']) => line);
}

function logLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => String((JSON.parse(line) as { msg?: unknown }).msg))
    .filter((line) => /^[A-Z_]+: /.test(line));
}
