import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { CallerName, Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import type { Answer, Prepared, Row } from './rules.ts';

type Make = (world: MatrixWorld, who: Someone) => Prepared | Promise<Prepared>;
type More = Partial<Row>;

/** Everyone whom the endpoint admits may do it; it shows the caller's own data, or public ones. */
export const forAll = (endpoint: Row['endpoint'], make: Make = () => ({}), more: More = {}): Row => ({
  endpoint,
  on: 'their own',
  may: 'everyone',
  make,
  ...more,
});

/** A change of something of the caller's own, which leaves Ada's as it is. */
export const change = (endpoint: Endpoint, make: Make = () => ({}), more: More = {}): Row =>
  forAll(endpoint, make, { may_touch_ada: [], ...more });

/** Something of Ada's, which `may` of the admitted callers reach. */
export const ofAda = (
  endpoint: Endpoint,
  { on, may = ['owner'], others, ...more }: More & { on: string; others: Answer },
  make: Make,
): Row => ({ endpoint, on, may, others, make, ...more });

export const NOTHING = 'nothing that exists';

/** Something that does not exist. */
export const nobodys = (endpoint: Row['endpoint'], answer: Answer, make: Make, more: More = {}): Row => ({
  endpoint,
  on: NOTHING,
  may: [],
  others: answer,
  make,
  ...more,
});

/** A call whose reply is a file or a stream, and so not in the contract. */
export const fileCall = (path: string, access: 'anyone' | 'user', more: Partial<Endpoint> = {}): Row['endpoint'] => ({
  method: 'GET',
  path,
  access,
  ...more,
});

export const anyId = (): string => randomUUID();

export const AT_ELSEWHERE: readonly CallerName[] = ['manager elsewhere', 'operator'];
export const AT_NO_CENTER: readonly CallerName[] = ['operator'];
