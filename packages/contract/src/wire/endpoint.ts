import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/** The callers that an endpoint admits; there is no default. */
export type Access =
  // No token needed.
  | 'anyone'
  // The refresh cookie authenticates, and the Origin is checked.
  | 'cookie'
  // A bearer token of a live session.
  | 'user'
  // As `user`, for a user who may run this server.
  | 'operator'
  // As `user`, for a user who may run the sport center of the path's `:id`, or this server.
  | 'manager'
  // The token of a paired kiosk, which is valid for nothing else.
  | 'kiosk';

/** Whether the caller is a signed-in user. */
export function needsSession({ access }: Pick<Endpoint, 'access'>): boolean {
  return access === 'user' || access === 'operator' || access === 'manager';
}

/** At most `max` calls per `window_s` seconds, counted per user (per address without a session). */
export interface Limit {
  max: number;
  window_s: number;
}

type Schema = z.ZodMiniType;

/** One call of the wire, described once and used by client, server and the OpenAPI document. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters, e.g. `/v1/activities/:client_id`. */
  path: string;
  summary: string;
  access: Access;
  /** Also for a user whose account waits for its erasure; other endpoints that need a session answer `account_locked`. */
  while_locked?: true;
  /**
   * Takes a DPoP proof (RFC 9449) by the browser's session key: a sign-in binds the new session to the key, a refresh proves
   * that it holds the key.
   */
  takes_dpop_proof?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The longest body, if not the server's usual 64 KiB. */
  max_body_bytes?: number;
  /** The shape of the envelope's `data`; other fields never leave the server. */
  data: Schema;
  /** Status of success, 200 by default. */
  status?: 200 | 201 | 202;
  limit?: Limit;
  /** Codes with which the call is refused, besides those that follow from the fields above (`listErrors`). */
  errors?: readonly ErrorCode[];
  /** How long caches may keep public reads (centers); all other replies are `no-store`. */
  cache_s?: number;
}

/** Declares an endpoint and keeps the literal types of its schemas. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

/** The parsed request that the server's handler gets. */
export interface ParsedRequest<E extends Endpoint> {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
}

/** The arguments of a caller, without parts that the endpoint does not have. */
export type CallArguments<E extends Endpoint> = (E['params'] extends Schema
  ? { params: Input<E['params']> }
  : unknown) &
  (E['query'] extends Schema ? { query: Input<E['query']> } : unknown) &
  (E['body'] extends Schema ? { body: Input<E['body']> } : unknown);

/** The reply that the caller receives and the handler returns: the content of `data`. */
export type Reply<E extends Endpoint> = z.output<E['data']>;
