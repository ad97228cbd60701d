import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { databaseErrorCode } from '#api/database/database.ts';
import type { Env } from '#api/platform/env.ts';
import { StartError, toOneLine } from '#api/platform/start-error.ts';

/** A certificate with its chain, and its private key; both PEM. */
export interface TlsPair {
  cert: string;
  key: string;
}

/** The intermediate ones of Mozilla's guideline: authenticated, with forward secrecy. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Returns the options of a server with this pair: for its start, and for each renewed pair. */
export function secureOptions(pair: TlsPair) {
  return { ...pair, ciphers: CIPHERS, minVersion: 'TLSv1.2' } as const;
}

type TlsSettings = Pick<Env, 'TLS_CERT' | 'TLS_KEY'>;

/**
 * Reads the files of TLS_CERT and TLS_KEY; undefined without them. Throws a StartError that names the setting if a file
 * cannot be read or is not PEM, the two do not match, or the certificate is not valid now.
 */
export function readTls({ TLS_CERT, TLS_KEY }: TlsSettings, now = new Date()): TlsPair | undefined {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  const cert = readPemFile('TLS_CERT', TLS_CERT);
  const key = readPemFile('TLS_KEY', TLS_KEY);
  const certificate = parseCertificate(cert, TLS_CERT);
  if (!certificate.checkPrivateKey(parseKey(key, TLS_KEY))) {
    throw new StartError(
      `TLS_KEY: the key ${TLS_KEY} does not fit the certificate ${TLS_CERT}: set both files of one pair, with the server's own certificate first in its file`,
    );
  }
  assertValidNow(certificate, TLS_CERT, now);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(`TLS_CERT: ${TLS_CERT} and ${TLS_KEY} cannot be used: ${toOneLine((error as Error).message)}`);
  }
  return { cert, key };
}

/** Reads a renewed pair for new connections. If it is unusable the old one stays, and the log says why. */
export function reloadTls(
  server: Pick<Server, 'setSecureContext'>,
  settings: TlsSettings,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
): void {
  try {
    const pair = readTls(settings);
    if (pair) server.setSecureContext(secureOptions(pair));
    logger.info('the TLS certificate was read again');
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the TLS certificate was not renewed');
  }
}

function readPemFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${name}: the file ${file} cannot be read (${databaseErrorCode(error)})`);
  }
}

function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new StartError(`TLS_CERT: the file ${file} does not begin with a certificate in PEM form`);
  }
}

function parseKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const is_encrypted = pem.includes('ENCRYPTED');
    throw new StartError(
      `TLS_KEY: the file ${file} ${is_encrypted ? 'is locked with a password: save the key without one' : 'holds no private key in PEM form'}`,
    );
  }
}

function assertValidNow({ validFrom, validTo }: X509Certificate, file: string, now: Date): void {
  const day = (text: string) => new Date(text).toISOString().slice(0, 10);
  if (new Date(validTo) <= now) {
    throw new StartError(
      `TLS_CERT: the certificate ${file} expired on ${day(validTo)}: renew it, or set the clock right`,
    );
  }
  if (new Date(validFrom) > now) {
    throw new StartError(`TLS_CERT: the certificate ${file} is valid from ${day(validFrom)} on: set the clock right`);
  }
}
