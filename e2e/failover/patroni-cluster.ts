import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findOrUnpack, missingOf } from '../../apps/api/test/debian-packages.ts';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import {
  type DatabaseServer,
  databaseOf,
  dataFolder,
  etcdEnvironment,
  haproxyFile,
  PATRONI_AUTHORIZATION,
  patroniFile,
} from './page.ts';
import { openUnpackedPrograms, type UnpackedPrograms } from './unpacked-programs.ts';

const PACKAGES = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql-15'];
/** Debian's modules for Python are built for its own. */
const PYTHON = '/usr/bin/python3';
const ETCD = 'usr/bin/etcd';
const HAPROXY = 'usr/sbin/haproxy';
const PATRONI = 'usr/bin/patroni';
const POSTGRES = 'usr/lib/postgresql/15/bin/postgres';
const PSQL = 'usr/lib/postgresql/15/bin/psql';
const SERVERS = 3;
const PATIENCE_MS = 120_000;
const POLL_MS = 100;

/** Returns the folder into which Debian's packages are unpacked; otherwise the reason, for people. */
export async function unpackCluster(): Promise<{ folder: string } | { missing: string }> {
  if (!existsSync(PYTHON)) return { missing: `Patroni needs ${PYTHON}` };
  return findOrUnpack({
    name: 'failover',
    label: 'Patroni, etcd, HAProxy and PostgreSQL',
    packages: PACKAGES,
    findMissing: missingOf([ETCD, HAPROXY, PATRONI, POSTGRES, PSQL]),
  });
}

/** The three database servers and the HAProxy of docs/how-to/run-three-database-servers.md, on this machine. */
export interface PatroniCluster {
  /** The leader's database, through HAProxy. */
  url: string;
  /** Resolves when one server leads and all others follow. */
  replicates(): Promise<void>;
  /** Makes another server the leader, as an operator does before maintenance. Resolves when it leads. */
  switchOver(): Promise<void>;
  /**
   * Stops the leader's replication and kills its PostgreSQL and Patroni, as a fault of a machine does that ends its
   * network first. Returns its name when another server leads.
   */
  killLeader(): Promise<string>;
  /** Kills PostgreSQL and Patroni of both others. Returns their names. */
  killFollowers(): Promise<string[]>;
  /** Starts a killed server. */
  restart(name: string): void;
  remove(): Promise<void>;
}

/** `is_synchronous`: a commit waits until a second server has it. Throws with the programs' output. */
export async function startPatroniCluster(packages: string, is_synchronous = true): Promise<PatroniCluster> {
  const programs = openUnpackedPrograms(packages, dataFolder());
  try {
    const servers = await chooseServers();
    for (const server of servers) {
      const name = `etcd of ${server.name}`;
      programs.start(name, [join(packages, ETCD)], etcdEnvironment(servers, server, programs.folderOf(name)));
    }
    const startServer = (server: DatabaseServer) => {
      const folder = programs.folderOf(server.name);
      const bin_dir = dirname(join(packages, POSTGRES));
      const text = patroniFile(servers, server, { folder, bin_dir, is_synchronous });
      programs.start(server.name, [PYTHON, join(packages, PATRONI), programs.write(`${server.name}.yml`, text)]);
    };
    for (const server of servers) startServer(server);
    const port = await findFreePort();
    const file = programs.write('haproxy.cfg', haproxyFile(servers, port));
    programs.start('haproxy', [join(packages, HAPROXY), '-db', '-f', file]);
    const cluster = openCluster({ servers, is_synchronous, startServer, programs });
    await cluster.replicates();
    const { statements, admin_url, url } = databaseOf(port);
    const psql = [join(packages, PSQL), admin_url];
    await until('HAProxy leads to no PostgreSQL', () => programs.run([...psql, '-c', 'select 1']), programs);
    for (const statement of statements)
      if (!(await programs.run([...psql, '-c', statement]))) throw new Error(`it failed: ${statement}`);
    return { ...cluster, url };
  } catch (error) {
    await programs.remove();
    throw error;
  }
}

async function chooseServers(): Promise<DatabaseServer[]> {
  const servers: DatabaseServer[] = [];
  for (let nth = 1; nth <= SERVERS; nth += 1)
    servers.push({
      name: `db${nth}`,
      address: `10.0.0.1${nth}`,
      ports: {
        2379: await findFreePort(),
        2380: await findFreePort(),
        5432: await findFreePort(),
        8008: await findFreePort(),
      },
    });
  return servers;
}

interface OpenCluster {
  servers: readonly DatabaseServer[];
  is_synchronous: boolean;
  startServer: (server: DatabaseServer) => void;
  programs: UnpackedPrograms;
}

function openCluster({ servers, is_synchronous, startServer, programs }: OpenCluster) {
  const readLeader = async () => (await select(servers, 'primary'))[0];
  const readLeaderNow = async () => {
    const leader = await readLeader();
    if (!leader) throw new Error(`no server leads:\n${programs.output()}`);
    return leader;
  };
  const leadsAnother = (before: DatabaseServer) =>
    until(
      'no other server leads',
      async () => ![undefined, before.name].includes((await readLeader())?.name),
      programs,
    );
  return {
    replicates: () => until('the servers do not replicate', () => replicate(servers, is_synchronous), programs),
    async switchOver() {
      const leader = await readLeaderNow();
      await askToSwitch(leader);
      await leadsAnother(leader);
    },
    async killLeader() {
      const leader = await readLeaderNow();
      await programs.cutOff(leader.name);
      await programs.kill(leader.name);
      await leadsAnother(leader);
      return leader.name;
    },
    async killFollowers() {
      const leader = await readLeaderNow();
      const followers = servers.map(({ name }) => name).filter((name) => name !== leader.name);
      for (const name of followers) await programs.kill(name);
      return followers;
    },
    restart(name: string) {
      const server = servers.find((one) => one.name === name);
      if (server) startServer(server);
    },
    remove: programs.remove,
  };
}

async function until(wrong: string, isTrue: () => Promise<boolean>, programs: UnpackedPrograms): Promise<void> {
  if (await pollUntil(isTrue, { patience_ms: PATIENCE_MS, interval_ms: POLL_MS })) return;
  throw new Error(`${wrong}:\n${programs.output()}`);
}

/** Returns the servers that say so of themselves: Patroni's API answers 200 to the path of what its server is. */
async function select(servers: readonly DatabaseServer[], path: 'primary' | 'sync'): Promise<DatabaseServer[]> {
  const asked = servers.map(async (server) => {
    const reply = await fetch(`http://127.0.0.1:${server.ports[8008]}/${path}`).catch(() => undefined);
    return reply?.ok ? [server] : [];
  });
  return (await Promise.all(asked)).flat();
}

/**
 * Returns whether one server leads and sends its log to all others; with synchronous replication, to one of them
 * synchronously. Patroni calls a server a replica that only waits for its leader.
 */
async function replicate(servers: readonly DatabaseServer[], is_synchronous: boolean): Promise<boolean> {
  const [leaders, synchronous] = await Promise.all([select(servers, 'primary'), select(servers, 'sync')]);
  const [leader] = leaders;
  if (!leader || leaders.length > 1 || (is_synchronous && synchronous.length === 0)) return false;
  const reply = await fetch(`http://127.0.0.1:${leader.ports[8008]}/patroni`);
  const { replication = [] } = (await reply.json()) as { replication?: { state: string }[] };
  return replication.filter(({ state }) => state === 'streaming').length === servers.length - 1;
}

async function askToSwitch({ name, ports }: DatabaseServer): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${ports[8008]}/switchover`, {
    method: 'POST',
    headers: { authorization: PATRONI_AUTHORIZATION },
    body: JSON.stringify({ leader: name }),
  });
  if (!reply.ok) throw new Error(`Patroni does not switch over: ${await reply.text()}`);
}
