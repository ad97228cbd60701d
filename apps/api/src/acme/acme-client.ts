import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose';
import * as z from 'zod/mini';
import type { TlsPair } from '../http/listening/tls.ts';
import { createOutgoing, INTERNET, type OutgoingOptions, toResponse } from '../http/outgoing.ts';
import { toOneLine } from '../platform/start-error.ts';
import { makeSigningRequest } from './signing-request.ts';

const ALGORITHM = 'ES256';
const CHALLENGE = 'http-01';
const REPLY_TIMEOUT_MS = 30_000;
const POLL_MS = 1_000;
const MAX_POLLS = 90;
/** A nonce can expire between two requests; the reply that says so carries a new one. */
const MAX_NONCE_RETRIES = 3;
const ABORTED = 'the attempt was aborted';

const send = createOutgoing(INTERNET, { keep_alive: false });

const Directory = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });
const Problem = z.object({ type: z.optional(z.string()), detail: z.optional(z.string()) });
const Order = z.object({
  status: z.string(),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.optional(z.url()),
  error: z.optional(Problem),
});
const Authorization = z.object({
  status: z.string(),
  challenges: z.array(
    z.object({ type: z.string(), url: z.url(), token: z.optional(z.string()), error: z.optional(Problem) }),
  ),
});

/** The CA refused or did not answer as RFC 8555 says, or the attempt was aborted. The message is one line. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
}

interface AcmeOptions {
  directory_url: string;
  email: string;
  /** PEM of an EC key on P-256, the same at every renewal. */
  account_key: string;
  /** The public name that the certificate is for. */
  host: string;
  /** Makes `http://host/.well-known/acme-challenge/token` answer with this text. */
  answerChallenge(token: string, text: string): void;
  /** Aborts the attempt. */
  signal: AbortSignal;
}

/** Obtains a certificate for `host` (RFC 8555, challenge http-01) with a new key. Throws an AcmeError. */
export async function obtainCertificate(options: AcmeOptions): Promise<TlsPair> {
  const { directory_url, email, host, answerChallenge, signal } = options;
  const request = createRequest(new URL(directory_url), signal);
  const directory = parse(Directory, (await request(directory_url)).body);
  const client = await createAcmeClient(createPrivateKey(options.account_key), directory.newNonce, request);
  await client.register(directory.newAccount, email);
  const created = await client.post(directory.newOrder, { identifiers: [{ type: 'dns', value: host }] });
  const order_url = parse(z.url(), created.location);
  const order = parse(Order, created.body);
  for (const url of order.authorizations) {
    const authorization = parse(Authorization, (await client.post(url)).body);
    if (authorization.status === 'valid') continue;
    const challenge = authorization.challenges.find(({ type }) => type === CHALLENGE);
    if (!challenge?.token) throw new AcmeError(`the CA offers no ${CHALLENGE} challenge for ${host}`);
    answerChallenge(challenge.token, `${challenge.token}.${client.thumbprint}`);
    await client.post(challenge.url, {});
    await poll(signal, async () => {
      const { status, challenges } = parse(Authorization, (await client.post(url)).body);
      if (status === 'valid') return true;
      if (status === 'pending' || status === 'processing') return undefined;
      throw new AcmeError(describe(challenges.find(({ error }) => error)?.error, `the challenge for ${host} failed`));
    });
  }
  const { key, request: csr } = makeSigningRequest(host);
  await client.post(order.finalize, { csr });
  const certificate_url = await poll(signal, async () => {
    const { status, certificate, error } = parse(Order, (await client.post(order_url)).body);
    if (status === 'valid' && certificate) return certificate;
    if (status === 'invalid') throw new AcmeError(describe(error, 'the CA refused the order'));
    return undefined;
  });
  const { body: cert } = await client.post(certificate_url);
  if (typeof cert !== 'string' || !isMatchingPair({ cert, key }))
    throw new AcmeError('the CA did not send a certificate for the requested key');
  return { cert, key };
}

interface Reply {
  status: number;
  /** The parsed JSON, or the text of another media type. */
  body: unknown;
  location: string | undefined;
  /** For the next request. */
  nonce: string | undefined;
}

/** Signs requests with the account's key; each takes the nonce of the reply before it. */
async function createAcmeClient(private_key: KeyObject, nonce_url: string, request: Request) {
  const { d: _, ...jwk } = (await exportJWK(private_key)) as JWK;
  const thumbprint = await calculateJwkThumbprint(jwk);
  let account_url: string | undefined;
  let nonce: string | undefined;

  /** `payload` undefined: reads the resource ("POST-as-GET"). */
  async function post(url: string, payload?: object, tries = MAX_NONCE_RETRIES): Promise<Reply> {
    nonce ??= (await request(nonce_url, { method: 'HEAD' })).nonce;
    if (nonce === undefined) throw new AcmeError('the CA sent no nonce');
    const identity = account_url ? { kid: account_url } : { jwk };
    const signed = await new FlattenedSign(Buffer.from(payload ? JSON.stringify(payload) : ''))
      .setProtectedHeader({ alg: ALGORITHM, url, nonce, ...identity })
      .sign(private_key);
    const headers = { 'content-type': 'application/jose+json' };
    const reply = await request(url, { method: 'POST', headers, body: JSON.stringify(signed) });
    nonce = reply.nonce;
    const { body, status } = reply;
    if (status < 300) return reply;
    const problem = Problem.safeParse(body).data;
    if (problem?.type === 'urn:ietf:params:acme:error:badNonce' && tries > 0) return post(url, payload, tries - 1);
    throw new AcmeError(describe(problem, `the CA answered with ${status}`));
  }
  return {
    thumbprint,
    post,
    /** Creates the account, or finds the one that this key already has. */
    async register(url: string, email: string): Promise<void> {
      const { location } = await post(url, { termsOfServiceAgreed: true, contact: [`mailto:${email}`] });
      account_url = parse(z.url(), location);
    },
  };
}

type Request = ReturnType<typeof createRequest>;

/** A CA on the internet names no address inside the operator's own network. No redirect is followed. */
function createRequest(directory: URL, signal: AbortSignal) {
  return async (url: string, init: Partial<OutgoingOptions> = {}): Promise<Reply> => {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(REPLY_TIMEOUT_MS)]);
      const response = toResponse(await send(new URL(url), { headers: {}, ...init, signal: limited }, directory));
      const { headers, status } = response;
      const text = await response.text();
      const is_json = /json/.test(headers.get('content-type') ?? '');
      return {
        status,
        body: is_json ? parseJson(text) : text,
        location: headers.get('location') ?? undefined,
        nonce: headers.get('replay-nonce') ?? undefined,
      };
    } catch (error) {
      if (error instanceof AcmeError) throw error;
      if (signal.aborted) throw new AcmeError(ABORTED);
      const { message, code } = error as NodeJS.ErrnoException;
      // An error about several addresses has a code and no message.
      throw new AcmeError(`${new URL(url).host} cannot be reached (${toOneLine(message || code || '')})`);
    }
  };
}

/** Calls `look` until it returns a value. */
async function poll<Value>(signal: AbortSignal, look: () => Promise<Value | undefined>): Promise<Value> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {
      throw new AcmeError(ABORTED);
    });
  }
  throw new AcmeError('the CA did not decide in time');
}

/** Returns whether `cert` is a certificate, and `key` its private key. */
export function isMatchingPair({ cert, key }: TlsPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeError('the CA sent invalid JSON');
  }
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AcmeError('the CA sent a reply that does not follow RFC 8555');
}

function describe(problem: z.infer<typeof Problem> | undefined, otherwise: string): string {
  return toOneLine(problem?.detail ?? otherwise);
}
