import { existsSync, readFileSync } from 'node:fs';
import { type Account, findInaccessibleFolder } from '#api/database/embedded-postgres/account.ts';

/** An account without rights, by the uid that Linux gives to those it does not know. */
export const UNPRIVILEGED: Account = { name: 'unprivileged', uid: 65_534, gid: 65_534 };
const FIRST_FREE_PORT = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

/** Returns why this process cannot start the server as UNPRIVILEGED; undefined if it can. */
export function reasonAgainstUnprivileged(): string | undefined {
  if (process.getuid?.() !== 0) return 'the rights of root';
  const needed = [import.meta.dirname, process.execPath];
  const closed = needed.find((path) => findInaccessibleFolder(path, UNPRIVILEGED) !== null);
  return closed && `${closed} cannot be entered`;
}

/** Returns why UNPRIVILEGED may listen on this port; undefined if it may not. */
export function reasonAgainstSystemPort(port: number): string | undefined {
  const first_free = existsSync(FIRST_FREE_PORT) ? Number(readFileSync(FIRST_FREE_PORT, 'utf8')) : 0;
  return port < first_free ? undefined : `port ${port} is free for all accounts`;
}
