import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import ipaddr from 'ipaddr.js';
import forge from 'node-forge';
import type { TlsPair } from '../http/listening/tls.ts';
import { LOCAL_DOMAINS, LOCAL_SUBNETS } from '../platform/local-hosts.ts';
import { readSecretFile, writeSecretFile } from '../platform/secret-file.ts';
import { StartError } from '../platform/start-error.ts';

const { asn1, md, pki } = forge;

const CA_DAYS = 3_650;
/** A start replaces the CA this long before it expires. Each phone must then trust the new one. */
const CA_RENEWAL_DAYS = 90;
/** Each start issues another one. Phones refuse certificates for more than 825 days. */
const CERTIFICATE_DAYS = 365;
/** Clocks of phones differ. */
const CLOCK_SLACK_DAYS = 1;
/** Object identifier of that extension (RFC 5280). */
const NAME_CONSTRAINTS = '2.5.29.30';
/** X.509 allows 64 characters, and forge encodes ASCII only. */
const MAX_MACHINE_LENGTH = 40;
const CA_FILE = 'ca.pem';

/** A certificate authority of our own, which phones can trust. Its certificates are valid for local hosts only. */
export interface LocalCa {
  /** The name under which a phone lists the certificate. */
  name: string;
  /** Its certificate and private key; PEM. */
  pair: TlsPair;
  /** What a phone downloads: DER. */
  certificate: Buffer;
  /** SHA-256, in pairs of hex digits with colons. */
  fingerprint: string;
}

/**
 * Returns the CA in `folder`, which the first start makes and stores (mode 0600). Throws a StartError if its file is
 * damaged.
 */
export async function openLocalCa(folder: string, machine: string, now: Date): Promise<LocalCa> {
  const file = join(folder, CA_FILE);
  const stored_pem = await readSecretFile(file);
  if (stored_pem !== undefined) {
    const ca = parseLocalCa(stored_pem, file);
    if (isUsable(ca, now)) return ca;
  }
  const { cert, key } = makeLocalCa(machine, now);
  const ca = parseLocalCa(`${cert}${key}`, file);
  await writeSecretFile(file, `${cert}${key}`);
  return ca;
}

/** Returns false if the CA expires soon, or was made while the clock was ahead. */
function isUsable({ certificate }: LocalCa, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  return validFromDate <= now && validToDate.getTime() - now.getTime() > CA_RENEWAL_DAYS * DAY_MS;
}

function parseLocalCa(pem: string, file: string): LocalCa {
  const cert = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n/.exec(pem)?.[0];
  const key = /-----BEGIN RSA PRIVATE KEY-----[\s\S]+?-----END RSA PRIVATE KEY-----\n/.exec(pem)?.[0];
  try {
    if (!cert || !key) throw new Error('incomplete');
    const certificate = new X509Certificate(cert);
    const { raw, fingerprint256, subject } = certificate;
    const is_constrained = pki.certificateFromPem(cert).extensions.some(({ id }) => id === NAME_CONSTRAINTS);
    if (!certificate.checkPrivateKey(createPrivateKey(key)) || !is_constrained) throw new Error('not our own');
    return { name: subject.replace(/^CN=/, ''), pair: { cert, key }, certificate: raw, fingerprint: fingerprint256 };
  } catch {
    throw new StartError(
      `The file ${file} is damaged: delete it; the next start makes a new one, which each phone must trust again`,
    );
  }
}

function makeLocalCa(machine: string, now: Date): TlsPair {
  const keys = makeKeys();
  const certificate = createUnsignedCertificate(keys.public, now, CA_DAYS);
  const name = [{ name: 'commonName', value: nameOfCa(machine) }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
    { id: NAME_CONSTRAINTS, critical: true, value: encodeNameConstraints() },
  ]);
  certificate.sign(pki.privateKeyFromPem(keys.private), md.sha256.create());
  return { cert: toPem(certificate), key: keys.private };
}

/** Returns a new name: its digits tell the CAs of two folders on one machine apart. */
export function nameOfCa(machine: string): string {
  const machine_name = machine.replace(/[^A-Za-z\d.-]+/g, '-').slice(0, MAX_MACHINE_LENGTH);
  return `Sendlap ${machine_name} ${randomBytes(2).toString('hex')}`;
}

/** Returns a certificate for these hosts, followed by that of the CA, and its key; PEM. */
export function issueCertificate(ca: LocalCa, hosts: string[], now: Date): TlsPair {
  const keys = makeKeys();
  const issuer = pki.certificateFromPem(ca.pair.cert);
  const certificate = createUnsignedCertificate(keys.public, now, CERTIFICATE_DAYS);
  // Not a host: some TLS libraries treat the common name as a DNS name, even if it is an IP address.
  certificate.setSubject([{ name: 'commonName', value: 'Sendlap' }]);
  certificate.setIssuer(issuer.subject.attributes);
  const altNames = hosts.map((host) => (ipaddr.isValid(host) ? { type: 7, ip: host } : { type: 2, value: host }));
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    { name: 'subjectAltName', altNames },
  ]);
  certificate.sign(pki.privateKeyFromPem(ca.pair.key), md.sha256.create());
  return { cert: toPem(certificate) + ca.pair.cert, key: keys.private };
}

function makeKeys(): { public: string; private: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { public: publicKey, private: privateKey };
}

function createUnsignedCertificate(public_key: string, now: Date, days: number): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(public_key);
  // The leading 01 makes the number positive (RFC 5280).
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - CLOCK_SLACK_DAYS * DAY_MS);
  certificate.validity.notAfter = new Date(now.getTime() + days * DAY_MS);
  return certificate;
}

function toPem(certificate: forge.pki.Certificate): string {
  return pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}

/** Encodes the hosts for which certificates of the CA are valid (RFC 5280, 4.2.1.10): those of a local network. */
function encodeNameConstraints(): forge.asn1.Asn1 {
  const { Class, Type, create } = asn1;
  const names = LOCAL_DOMAINS.map((domain) => create(Class.CONTEXT_SPECIFIC, 2 as never, false, domain));
  const subnets = LOCAL_SUBNETS.map((subnet) => {
    const [address, bits] = ipaddr.IPv4.parseCIDR(subnet);
    const mask = ipaddr.IPv4.subnetMaskFromPrefixLength(bits);
    const bytes = [...address.toByteArray(), ...mask.toByteArray()];
    return create(Class.CONTEXT_SPECIFIC, 7 as never, false, String.fromCharCode(...bytes));
  });
  const subtrees = [...names, ...subnets].map((base) => create(Class.UNIVERSAL, Type.SEQUENCE, true, [base]));
  const permitted = create(Class.CONTEXT_SPECIFIC, 0 as never, true, subtrees);
  return create(Class.UNIVERSAL, Type.SEQUENCE, true, [permitted]);
}
