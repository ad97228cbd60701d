import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operator, openOperator } from '../../apps/api/test/app/operator.ts';
import { type MortalPostgres, openMortalPostgres } from '../../apps/api/test/database/mortal-postgres.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import type { Hop } from '../proxies/configurations.ts';
import { type RunningProxy, startProxy } from '../proxies/run-proxy.ts';
import { startServer, type WholeServer } from '../server/server.ts';

export const SECRET = 'a secret of the fault program, of 32 characters or more';

/** Two nodes on one PostgreSQL, behind a proxy. */
export interface Cluster {
  /** Where callers reach the proxy. */
  url: string;
  nodes: [WholeServer, WholeServer];
  postgres: MortalPostgres;
  operator: Operator;
  close(): Promise<void>;
}

/** `packages`: the folder of the proxies. `env`: settings of the nodes beyond those of two nodes behind one proxy. */
export async function openCluster(packages: string, hop: Hop, env: Record<string, string> = {}): Promise<Cluster> {
  const scratch = mkdtempSync(join(tmpdir(), 'sendlap-rolling-'));
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(scratch, { recursive: true, force: true })];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const postgres = await openMortalPostgres();
    closers.push(postgres.remove);
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const settings = {
      ...{ DATABASE_URL: postgres.url, SECRET, PUBLIC_URL: url, HOST: '127.0.0.1', TRUST_PROXY: '1' },
      ...{ BACKUP_KEEP: '0', LOG_LEVEL: 'silent', OVERPASS_URL: `${url}/none`, ...env },
    };
    const start = async () => {
      const node = await startServer({ env: settings, is_printing: false });
      closers.push(async () => {
        await node.kill();
        await node.remove();
      });
      return node;
    };
    const nodes: Cluster['nodes'] = [await start(), await start()];
    const [target = 0, second_target = 0] = nodes.map((node) => Number(new URL(node.url).port));
    const folder = join(scratch, 'proxy');
    mkdirSync(folder);
    const proxy: RunningProxy = await startProxy(packages, hop, { port, target, second_target, folder });
    closers.push(proxy.stop);
    const operator = await openOperator({ database_url: postgres.url, secret: SECRET });
    closers.push(operator.close);
    return { url, nodes, postgres, operator, close };
  } catch (error) {
    await close();
    throw error;
  }
}
