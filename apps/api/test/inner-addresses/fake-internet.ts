import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, isIP } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../certificate.ts';
import { type NameServer, startNameServer } from '../servers/name-server.ts';

/** The only addresses outside; every other one is inside. */
export const OUTSIDE = '93.184.215.14';
export const OUTSIDE_V6 = '2606:4700::1111';
const OUTSIDE_ADDRESSES: readonly string[] = [OUTSIDE, OUTSIDE_V6, `::ffff:${OUTSIDE}`, '64:ff9b::5db8:d70e'];

interface TcpHandle {
  connect(request: unknown, address: string, port: number): number;
  connect6(request: unknown, address: string, port: number): number;
  getpeername(out: { address?: string; port?: number }): number;
}

/**
 * An internet on this machine: no connection of this process leaves it, and each is seen with the very address and port
 * that it was made to, also of addresses that no machine here has. Connections to the outside reach `answers`, all others
 * count as `reached` and get an answer too.
 */
export interface FakeInternet {
  /** Connections to addresses inside, as `address port`. */
  reached: string[];
  /** What hosts outside answer, by their name with its port, if it is not the usual one. */
  answers: Map<string, RequestListener>;
  /** The addresses of a name at each look-up in turn; the last ones stay. */
  names: Map<string, string[][]>;
  name_server: string;
  close(): Promise<void>;
}

/** `secure_hosts`: hosts outside that have a certificate. */
export async function openFakeInternet(secure_hosts: readonly string[]): Promise<FakeInternet> {
  const answers = new Map<string, RequestListener>();
  const answer: RequestListener = (request, response) => {
    const found = answers.get(request.headers.host ?? '');
    if (found) found(request, response);
    else response.writeHead(404).end();
  };
  const certificate = makeCertificate({ names: secure_hosts });
  const servers = {
    plain: await listen(createServer(answer)),
    secure: await listen(createSecureServer(certificate, answer)),
    inner: await listen(createServer((_request, response) => void response.end('inner'))),
  };
  const own_ports = new Set(Object.values(servers).map(portOf));
  const reached: string[] = [];
  const route = (address: string, port: number): number => {
    if (OUTSIDE_ADDRESSES.includes(address)) return portOf(port === 443 ? servers.secure : servers.plain);
    reached.push(`${address} ${port}`);
    return portOf(servers.inner);
  };
  const restoreSockets = divertSockets({ isReal: (port) => own_ports.has(port), route });
  const { names, look, name_server, restoreNames } = await divertNames();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate.cert]);
  return {
    reached,
    answers,
    names,
    name_server: name_server.address,
    async close() {
      restoreSockets();
      restoreNames();
      setDefaultCACertificates(trusted);
      name_server.close();
      look.clear();
      for (const server of Object.values(servers)) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Node has no other place that sees the address of every connection, those of `fetch` too. */
function divertSockets({
  isReal,
  route,
}: {
  isReal(port: number): boolean;
  route(address: string, port: number): number;
}) {
  const { binding } = process as unknown as { binding(name: string): { TCP: { prototype: TcpHandle } } };
  const handles = binding('tcp_wrap').TCP.prototype;
  const { connect, connect6, getpeername } = handles;
  const peers = new WeakMap<TcpHandle, { address: string; port: number }>();
  const divert = (own: TcpHandle['connect']): TcpHandle['connect'] =>
    function (this: TcpHandle, request, address, port) {
      if (isReal(port)) return own.call(this, request, address, port);
      peers.set(this, { address, port });
      return connect.call(this, request, '127.0.0.1', route(address, port));
    };
  handles.connect = divert(connect);
  handles.connect6 = divert(connect6);
  handles.getpeername = function (out) {
    const error = getpeername.call(this, out);
    Object.assign(out, peers.get(this));
    return error;
  };
  return () => void Object.assign(handles, { connect, connect6, getpeername });
}

/** The look-ups of the system, and those of a name server, lead where `names` says; other names stay as they are. */
async function divertNames() {
  const names = new Map<string, string[][]>();
  /** How often a name was looked up. */
  const look = new Map<string, number>();
  const find = (name: string, weight: number): string[] => {
    const turns = names.get(name) ?? [[]];
    const nth = look.get(name) ?? 0;
    look.set(name, nth + weight);
    return turns[Math.min(Math.floor(nth), turns.length - 1)] ?? [];
  };
  // Each look-up asks it twice: for the addresses of IPv4 and of IPv6.
  const name_server: NameServer = await startNameServer((name) => find(name, 0.5));
  const { lookup, promises } = dns;
  const lookupLater = promises.lookup;
  const findAll = (name: string) => find(name, 1).map((address) => ({ address, family: isIP(address) }));
  const lookUp = (name: string, options: { all?: boolean }, done: (...found: unknown[]) => void) => {
    if (!names.has(name)) return Reflect.apply(lookup, dns, [name, options, done]);
    const [first, ...rest] = findAll(name);
    if (!first) return done(Object.assign(new Error(`no address of ${name}`), { code: 'ENOTFOUND' }));
    return options.all ? done(null, [first, ...rest]) : done(null, first.address, first.family);
  };
  Object.assign(dns, { lookup: lookUp });
  Object.assign(promises, {
    lookup: async (name: string, options: object) =>
      names.has(name) ? findAll(name) : Reflect.apply(lookupLater, promises, [name, options]),
  });
  syncBuiltinESMExports();
  const restoreNames = () => {
    Object.assign(dns, { lookup });
    Object.assign(promises, { lookup: lookupLater });
    syncBuiltinESMExports();
  };
  return { names, look, name_server, restoreNames };
}
