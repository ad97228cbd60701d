import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import fc from 'fast-check';
import type { Call, Row } from '../matrix/rules.ts';
import { NASTY_HEADERS, NASTY_PATHS, NASTY_TEXTS, NASTY_VALUES, writeJson } from './nasty-values.ts';
import { type Pool, validValue } from './valid-values.ts';

export interface FuzzedRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

type Tree = Record<string, unknown>;
/** A way to break a request: which one, where, and with which value. */
interface Fault {
  kind: (typeof FAULTS)[number];
  where: number;
  value: unknown;
  text: string;
}

const FAULTS = [
  'value',
  'value',
  'value',
  'text with NUL',
  'missing',
  'extra',
  'query',
  'repeated query',
  'path',
  'headers',
  'body',
] as const;

/** The operation that a request is made for. */
export type Target = Row['endpoint'] & { is_form?: true };

/** Requests to an endpoint: what its schemas accept, with up to three faults. */
export function fuzzedRequest(target: Target, pool: Pool): fc.Arbitrary<FuzzedRequest> {
  const part = (schema: Endpoint['body']) => (schema ? validValue(schema, pool) : fc.constant(undefined));
  const { params, query, body } = target;
  const parts = fc.record({ params: part(params), query: part(query), body: part(body) });
  return withFaults(target, parts as fc.Arbitrary<Parts>);
}

/** Requests like this one, with up to three faults. */
export function brokenRequest(target: Target, call: Call): fc.Arbitrary<FuzzedRequest> {
  return withFaults(target, fc.constant(call));
}

function withFaults(target: Target, parts: fc.Arbitrary<Parts>): fc.Arbitrary<FuzzedRequest> {
  const fault: fc.Arbitrary<Fault> = fc.record({
    kind: fc.constantFrom(...FAULTS),
    where: fc.nat(),
    value: fc.constantFrom(...NASTY_VALUES),
    text: fc.constantFrom(...NASTY_TEXTS),
  });
  const faults = fc.oneof(
    { weight: 1, arbitrary: fc.constant<Fault[]>([]) },
    { weight: 4, arbitrary: fc.array(fault, { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(parts, faults).map(([whole, each]) => write(target, whole, each));
}

interface Parts {
  params?: Tree | undefined;
  query?: Tree | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

function write({ path, is_form }: Target, { params = {}, query = {}, body, headers: own }: Parts, faults: Fault[]) {
  const tree = structuredClone({ body });
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
  let address = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 'x')));
  const headers: Record<string, string> = { ...own };
  const toText = is_form ? writeForm : writeJson;
  let text: Buffer | undefined;
  for (const fault of faults) {
    if (fault.kind === 'path') address = breakPath(address, fault);
    else if (fault.kind === 'headers') Object.assign(headers, pick(NASTY_HEADERS, fault.where));
    else if (fault.kind.endsWith('query')) breakQuery(pairs, fault);
    else if (fault.kind === 'body') text = breakText(toText(tree.body), fault, headers);
    else breakTree(tree, fault);
  }
  const search = pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');
  const plain = tree.body === undefined ? undefined : Buffer.from(toText(tree.body));
  const sent = text ?? plain;
  const type = is_form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    url: search === '' ? address : `${address}?${search}`,
    headers: sent === undefined ? headers : { 'content-type': type, ...headers },
    body: sent,
  };
}

function writeForm(body: unknown): string {
  if (typeof body !== 'object' || body === null) return writeJson(body);
  const fields = Object.entries(body).filter(([, value]) => value !== undefined);
  return fields
    .map(([name, value]) => `${encodeText(name)}=${encodeText(typeof value === 'string' ? value : writeJson(value))}`)
    .join('&');
}

const pick = <Value>(values: readonly Value[], where: number): Value => values[where % values.length] as Value;

/** As a browser does, but for what cannot be encoded. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function breakPath(address: string, { where, text }: Fault): string {
  const segments = address.split('/');
  const nth = 2 + (where % Math.max(1, segments.length - 2));
  segments[nth] = where % 3 === 0 ? encodeText(text) : pick(NASTY_PATHS, where);
  return segments.join('/');
}

function breakQuery(pairs: [string, string][], { kind, where, text }: Fault): void {
  const [name] = pairs.length > 0 ? pick(pairs, where) : [text];
  if (kind === 'repeated query') pairs.push([name, text], [`${name}[]`, text]);
  else pairs.splice(pairs.length > 0 ? where % pairs.length : 0, 1, [name, text]);
}

/** Every place in a tree, as the object that holds it and its key. */
function placesIn(holder: Tree, depth = 0): [Tree, string][] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder, key] as [Tree, string],
    ...(typeof value === 'object' && value !== null && depth < 6 ? placesIn(value as Tree, depth + 1) : []),
  ]);
}

function breakTree(tree: { body: unknown }, { kind, where, value }: Fault): void {
  if (tree.body === undefined) return;
  const places = placesIn(tree);
  const texts = places.filter(([place, name]) => typeof place[name] === 'string');
  if (kind === 'text with NUL') {
    const [place, name] = texts.length > 0 ? pick(texts, where) : pick(places, where);
    place[name] = 'a\u0000b';
    return;
  }
  const [holder, key] = pick(places, where);
  if (kind === 'missing') delete holder[key];
  else if (kind === 'extra') holder[`${key}_extra`] = value;
  else holder[key] = value;
}

/** Breaks the text itself: its size, order, encoding and type. */
function breakText(json: string, { where, value }: Fault, headers: Record<string, string>): Buffer {
  const body = json === '' ? '{}' : json;
  const ways: (() => Buffer)[] = [
    () => Buffer.from(body.replace('{', `{"a":1,"a":${writeJson(value)},`)),
    () => Buffer.from(body.replace(/^\{("\w+":)/, (start, key: string) => `${start}${writeJson(value)},${key}`)),
    () => Buffer.from(body.slice(0, where % body.length)),
    () => Buffer.from(`\ufeff${body}`),
    () => Buffer.from(body, 'utf16le'),
    () => Buffer.concat([Buffer.from(body.slice(0, -1)), Buffer.from([0xc3, 0x28, 0xff])]),
    () => Buffer.from(`${body}${body}`),
    () => Buffer.from(`[${body}]`),
    () => Buffer.from(`${body}${' '.repeat(70_000)}`),
    () => Buffer.from('[1,'.repeat(20_000)),
    () => Buffer.alloc(0),
    () => Buffer.from(body.replaceAll('"', "'")),
  ];
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    'application/xml',
    ';',
  ];
  if (where % 4 === 0) headers['content-type'] = pick(types, where);
  if (where % 7 === 0) headers['content-encoding'] = pick(['gzip', 'br', 'x'], where);
  return pick(ways, where)();
}
