import type * as z from 'zod/mini';

/**
 * Who may call. `anyone`: no token needed. `cookie`: the refresh cookie speaks, and the Origin is checked.
 * `user`: a bearer token of a live session. `kiosk`: the token of a paired kiosk, which opens nothing else. There is no default: an endpoint that does not say is a type error.
 */
export type Access = 'anyone' | 'cookie' | 'user' | 'kiosk';

/** At most `max` calls per `window_s` seconds, counted per user (per address where nobody is signed in). */
export interface Limit {
  max: number;
  window_s: number;
}

type Schema = z.ZodMiniType;

/** One call of the wire, described once and used by both sides and by the OpenAPI document. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters, e.g. `/v1/activities/:client_id`. */
  path: string;
  summary: string;
  access: Access;
  /** Also for a user whose account is locked until it is erased; everything else answers `account_locked`. */
  while_locked?: true;
  /** A browser proves its key with it, in the form of DPoP (RFC 9449): the session that it begins is bound to that key. */
  has_proof?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The shape inside the envelope's `data`; a field that is not in it never leaves the server. */
  data: Schema;
  /** Status of success, 200 unless said. */
  status?: 200 | 201 | 202;
  limit?: Limit;
  /** Public reads (centers) may be kept by caches for this long; all else is `no-store`. */
  cache_s?: number;
}

/** Declares an endpoint and keeps the literal types of its schemas. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

/** What the server's handler gets, after parsing. */
export interface Parsed<E extends Endpoint> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
}

/** What a caller passes; parts that the endpoint does not have are left out. */
export type Arguments<E extends Endpoint> = (E['params'] extends Schema ? { params: Input<E['params']> } : unknown) &
  (E['query'] extends Schema ? { query: Input<E['query']> } : unknown) &
  (E['body'] extends Schema ? { body: Input<E['body']> } : unknown);

/** What the caller receives and the handler returns: the inside of `data`. */
export type Reply<E extends Endpoint> = z.output<E['data']>;
