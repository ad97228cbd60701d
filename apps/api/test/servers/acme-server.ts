import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { calculateJwkThumbprint, decodeProtectedHeader, flattenedVerify, importJWK, type JWK } from 'jose';
import forge from 'node-forge';

const { asn1, md, pki } = forge;
const DAY_MS = 86_400_000;
const PROBLEM = 'urn:ietf:params:acme:error:';

/** How the CA misbehaves. */
export type AcmeFault =
  | 'other_json'
  | 'never_decides'
  | 'rate_limited'
  | 'bad_nonce'
  | 'garbage'
  | 'no_http_challenge'
  | 'unreachable_challenge'
  | 'refused_order'
  | 'no_account_url'
  | 'no_order_url';

interface Order {
  host: string;
  token: string;
  status: 'pending' | 'ready' | 'valid' | 'invalid';
  challenge_error?: string;
  certificate?: string;
  thumbprint: string;
}

/**
 * A CA that speaks ACME (RFC 8555) and checks what a real one checks: signature, nonce, URL and account of each request,
 * the challenge, and the signing request. It requests challenges at `http_port` of this machine.
 */
export class AcmeServer {
  fault: AcmeFault | undefined;
  /** How many days from `now` on the certificates are valid. */
  days = 90;
  issued = 0;
  /** Orders received, refused ones included. */
  orders = 0;
  authorization_reads = 0;
  /** Contacts of the accounts, by thumbprint of their keys. */
  readonly accounts = new Map<string, string[]>();
  readonly #ca: { cert: string; key: string };
  readonly #http_port: number;
  readonly #now: () => Date;
  readonly #server: Server;
  #origin = '';
  readonly #nonces = new Set<string>();
  readonly #keys = new Map<string, JWK>();
  readonly #orders = new Map<string, Order>();

  private constructor(http_port: number, now: () => Date) {
    this.#http_port = http_port;
    this.#now = now;
    this.#ca = makeCa(now());
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        const { type = 'malformed', message, status = 400 } = error as Problem;
        send(response, status, { type: PROBLEM + type, detail: message }, 'application/problem+json');
      });
    });
  }

  static async start(http_port: number, now = () => new Date()): Promise<AcmeServer> {
    const acme_server = new AcmeServer(http_port, now);
    acme_server.#server.listen(0, '127.0.0.1');
    await once(acme_server.#server, 'listening');
    acme_server.#origin = `http://127.0.0.1:${(acme_server.#server.address() as AddressInfo).port}`;
    return acme_server;
  }

  /** The CA's own certificate; PEM. */
  get ca_certificate(): string {
    return this.#ca.cert;
  }

  get directory_url(): string {
    return `${this.#origin}/directory`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const nonce = randomUUID().replaceAll('-', '');
    this.#nonces.add(nonce);
    response.setHeader('replay-nonce', nonce);
    if (this.fault === 'other_json') return send(response, 200, { status: 'maintenance' });
    if (this.fault === 'garbage') return void response.end('<html>maintenance</html>');
    const origin = this.#origin;
    if (path === '/directory') {
      const urls = { newNonce: `${origin}/nonce`, newAccount: `${origin}/account`, newOrder: `${origin}/order` };
      return send(response, 200, urls);
    }
    if (path === '/nonce') return void response.end();
    const { payload, thumbprint } = await this.#verify(request, `${origin}${path}`);
    if (path === '/account') {
      this.accounts.set(thumbprint, payload?.contact as string[]);
      if (this.fault !== 'no_account_url') response.setHeader('location', `${origin}/account/${thumbprint}`);
      return send(response, 201, { status: 'valid' });
    }
    if (path === '/order') {
      const id = this.#createOrder(payload?.identifiers as { value: string }[], thumbprint);
      if (this.fault !== 'no_order_url') response.setHeader('location', `${origin}/order/${id}`);
      return send(response, 201, this.#describeOrder(id));
    }
    const [, kind = '', id = ''] = path.split('/');
    const order = this.#orders.get(id);
    if (!order || order.thumbprint !== thumbprint) throw new Problem('no such order');
    await this.#answerForOrder(kind, { id, order, payload, response });
  }

  async #answerForOrder(kind: string, { id, order, payload, response }: OrderRequest): Promise<void> {
    if (kind === 'authorization') {
      this.authorization_reads += 1;
      return send(response, 200, this.#describeAuthorization(id, order));
    }
    if (kind === 'challenge' && this.fault !== 'never_decides') await this.#challenge(order);
    if (kind === 'finalize') this.#issue(order, String(payload?.csr));
    if (kind === 'certificate') return void response.end(order.certificate);
    send(response, 200, kind === 'challenge' ? { token: order.token } : this.#describeOrder(id));
  }

  #createOrder([identifier]: { value: string }[], thumbprint: string): string {
    this.orders += 1;
    if (this.fault === 'rate_limited') throw new Problem('too many certificates already issued', 'rateLimited', 429);
    const id = randomUUID();
    this.#orders.set(id, { host: identifier?.value ?? '', token: randomUUID(), status: 'pending', thumbprint });
    return id;
  }

  async #verify(request: IncomingMessage, url: string) {
    if (request.headers['content-type'] !== 'application/jose+json') throw new Problem('no JOSE');
    const body = (await json(request)) as Parameters<typeof flattenedVerify>[0];
    const header = decodeProtectedHeader(body) as { nonce: string; url: string; kid?: string; jwk?: JWK };
    const is_fresh = this.#nonces.delete(header.nonce);
    if (!is_fresh || this.fault === 'bad_nonce') throw new Problem('unknown nonce', 'badNonce');
    if (header.url !== url) throw new Problem('another address was signed', 'unauthorized', 401);
    const jwk = header.jwk ?? this.#keys.get(header.kid ?? '');
    if (!jwk || (header.jwk !== undefined) !== url.endsWith('/account')) throw new Problem('unknown account');
    const { payload } = await flattenedVerify(body, await importJWK(jwk, 'ES256'));
    const thumbprint = await calculateJwkThumbprint(jwk);
    this.#keys.set(`${this.#origin}/account/${thumbprint}`, jwk);
    const text = Buffer.from(payload).toString();
    return { thumbprint, payload: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
  }

  /** Asks at the loopback address, as if the name led there. */
  async #challenge(order: Order): Promise<void> {
    const url = `http://127.0.0.1:${this.#http_port}/.well-known/acme-challenge/${order.token}`;
    const found = await fetch(url, { headers: { host: order.host } })
      .then((response) => response.text())
      .catch(() => 'nothing');
    const is_met = found === `${order.token}.${order.thumbprint}` && this.fault !== 'unreachable_challenge';
    if (is_met) order.status = 'ready';
    else Object.assign(order, { status: 'invalid', challenge_error: `${order.host} did not answer at port 80` });
  }

  #issue(order: Order, encoded: string): void {
    if (order.status !== 'ready' || this.fault === 'refused_order') {
      order.status = 'invalid';
      return;
    }
    const der = forge.util.createBuffer(Buffer.from(encoded, 'base64url').toString('binary'));
    const request = pki.certificationRequestFromAsn1(asn1.fromDer(der));
    const [extensions] = request.attributes.flatMap((each) => each.extensions ?? []);
    const names = (extensions as { altNames: { value: string }[] }).altNames.map(({ value }) => value);
    if (!request.verify() || !request.publicKey || names.join() !== order.host) {
      throw new Problem('bad request for a certificate', 'badCSR');
    }
    const certificate = startCertificate(request.publicKey, this.#now(), this.days);
    certificate.setIssuer(pki.certificateFromPem(this.ca_certificate).subject.attributes);
    certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: order.host }] }]);
    order.certificate = signed(certificate, this.#ca.key) + this.ca_certificate;
    order.status = 'valid';
    this.issued += 1;
  }

  #describeOrder(id: string) {
    const { status } = this.#orders.get(id) as Order;
    const origin = this.#origin;
    return {
      status,
      authorizations: [`${origin}/authorization/${id}`],
      finalize: `${origin}/finalize/${id}`,
      ...(status === 'valid' ? { certificate: `${origin}/certificate/${id}` } : {}),
      ...(status === 'invalid' ? { error: { detail: 'the order was refused' } } : {}),
    };
  }

  #describeAuthorization(id: string, { token, status, challenge_error }: Order) {
    const type = this.fault === 'no_http_challenge' ? 'dns-01' : 'http-01';
    const error = challenge_error ? { error: { detail: challenge_error } } : {};
    const challenges = [{ type, url: `${this.#origin}/challenge/${id}`, token, ...error }];
    return { status: status === 'ready' ? 'valid' : status, challenges };
  }
}

interface OrderRequest {
  id: string;
  order: Order;
  payload: Record<string, unknown> | undefined;
  response: ServerResponse;
}

class Problem extends Error {
  readonly type: string;
  readonly status: number;
  constructor(message: string, type = 'malformed', status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

function send(response: ServerResponse, status: number, body: object, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

function makeCa(now: Date): { cert: string; key: string } {
  const { publicKey, privateKey: key } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const name = [{ name: 'commonName', value: 'Test CA' }];
  const certificate = startCertificate(pki.publicKeyFromPem(publicKey), now, 3_650);
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([{ name: 'basicConstraints', critical: true, cA: true }]);
  return { cert: signed(certificate, key), key };
}

function startCertificate(key: forge.pki.PublicKey, now: Date, days: number): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = key;
  certificate.serialNumber = `01${randomUUID().replaceAll('-', '').slice(2)}`;
  certificate.validity.notBefore = new Date(now.getTime() - 3_600_000);
  certificate.validity.notAfter = new Date(now.getTime() + days * DAY_MS);
  return certificate;
}

/** Signs the certificate. Returns it as PEM. */
function signed(certificate: forge.pki.Certificate, key: string): string {
  certificate.sign(pki.privateKeyFromPem(key), md.sha256.create());
  return pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}
