import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

/** A name server on this machine (RFC 1035). */
export interface NameServer {
  /** As `setServers` of a resolver takes it. */
  address: string;
  close(): void;
}

type Addresses = string[] | undefined;

/**
 * `found`: the addresses of every name, or those of one name. Empty, the name has no address; undefined, the server
 * never answers.
 */
export async function startNameServer(found: Addresses | ((name: string) => Addresses)): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const addresses = typeof found === 'function' ? found(nameIn(query)) : found;
    if (addresses) socket.send(answerTo(query, addresses), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
}

function answerTo(query: Buffer, addresses: string[]): Buffer {
  const question_end = query.indexOf(0, HEADER_BYTES) + 5;
  const type = query.readUInt16BE(question_end - 4);
  const wanted = addresses.filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA));
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  // Flags of a reply without an error, to one question, with only an answer section.
  header.writeUInt16BE(0x8180, 2);
  for (const [nth, count] of [1, wanted.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * nth);
  const records = wanted.map((address) => recordOf(type, bytesOf(address)));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, question_end), ...records]);
}

/** The name of the question, which is a list of labels with their lengths. */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; query[at]; at += 1 + Number(query[at]))
    labels.push(query.toString('latin1', at + 1, at + 1 + Number(query[at])));
  return labels.join('.').toLowerCase();
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  // A pointer to the question's name, class internet, TTL 0.
  for (const [nth, value] of [0xc000 + HEADER_BYTES, type, 1, 0, 0, data.length].entries())
    head.writeUInt16BE(value, 2 * nth);
  return Buffer.concat([head, data]);
}

/** Parses an IPv6 address, in full or with one '::', also with an IPv4 address at its end. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.replace(/[\d.]+\.[\d.]+$/, (v4) => hexOf(bytesOf(v4))).split('::');
  const [head = [], tail = []] = [before, after].map((part) => (part ? part.split(':') : []));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = after === undefined ? head : [...head, ...zeros, ...tail];
  return Buffer.concat(groups.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

function hexOf(v4: Buffer): string {
  return `${v4.toString('hex', 0, 2)}:${v4.toString('hex', 2, 4)}`;
}
