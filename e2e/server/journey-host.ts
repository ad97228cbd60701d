/** Runs the servers of a worker's test files, one after the other, in one process: see `startJourneyHost`. */
import { type HostedServer, openHostedServer } from '../../apps/api/test/app/hosted-server.ts';
import type { HostCall, HostCalls, HostReply } from './journey-host-calls.ts';

const [server_url = ''] = process.argv.slice(2);
let current: HostedServer | undefined;

function hosted(): HostedServer {
  if (!current) throw new Error('no server is open');
  return current;
}

async function close(): Promise<void> {
  const closing = current;
  current = undefined;
  await closing?.close();
}

const calls: HostCalls = {
  async open(settings) {
    current = await openHostedServer(server_url, settings);
    const { url, database_url, secret } = current;
    return { url, database_url, secret };
  },
  close,
  stop: () => hosted().stop(),
  start: () => hosted().start(),
  sendlap: (args) => hosted().sendlap(args),
  createAccount: (account) => hosted().createAccount(account),
};

async function answer({ id, name, argument }: HostCall): Promise<HostReply> {
  try {
    return { id, value: await calls[name](argument as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('message', async (message: HostCall | object) => {
  if ('name' in message) process.send?.(await answer(message));
});
// The clock's module unrefs the channel, which must keep a host alive between two servers.
process.channel?.ref();
process.once('SIGTERM', () => close().finally(() => process.exit()));
