import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import forge from 'node-forge';
import type { TlsPair } from '../http/listening/tls.ts';
import { LOCAL_DOMAINS, LOCAL_SUBNETS } from '../platform/local-hosts.ts';
import { readSecretFile, writeSecretFile } from '../platform/secret-file.ts';
import { StartError } from '../platform/start-error.ts';

const { asn1, md, pki } = forge;

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** The authority is replaced this long before its end: phones then have to trust the new one. */
const AUTHORITY_RENEWAL_DAYS = 90;
/** Made at each start. Phones refuse certificates for more than 825 days. */
const CERTIFICATE_DAYS = 365;
/** Clocks of phones differ. */
const CLOCK_SLACK_DAYS = 1;
const FILE = 'authority.pem';

/** An authority that phones can trust. Its key can vouch for hosts of a local network only. */
export interface Authority {
  /** As a phone lists it. */
  name: string;
  /** The whole certificate and its key; PEM. */
  pair: TlsPair;
  /** What a phone downloads: DER. */
  certificate: Buffer;
  /** SHA-256, in pairs of hex digits with colons. */
  fingerprint: string;
}

/**
 * Returns the authority in `folder`, made at the first start and kept (mode 0600). Throws a StartError if its file is
 * damaged.
 */
export async function openAuthority(folder: string, machine: string, now: Date): Promise<Authority> {
  const file = join(folder, FILE);
  const kept = await readSecretFile(file);
  if (kept !== undefined) {
    const authority = parseAuthority(kept, file);
    const ends_at = new X509Certificate(authority.certificate).validToDate.getTime();
    if (ends_at - now.getTime() > AUTHORITY_RENEWAL_DAYS * DAY_MS) return authority;
  }
  const { cert, key } = makeAuthority(machine, now);
  await writeSecretFile(file, `${cert}${key}`);
  return parseAuthority(`${cert}${key}`, file);
}

function parseAuthority(pem: string, file: string): Authority {
  const cert = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n/.exec(pem)?.[0];
  const key = /-----BEGIN RSA PRIVATE KEY-----[\s\S]+?-----END RSA PRIVATE KEY-----\n/.exec(pem)?.[0];
  try {
    if (!cert || !key) throw new Error('incomplete');
    const { raw, fingerprint256, subject } = new X509Certificate(cert);
    pki.privateKeyFromPem(key);
    return { name: subject.replace(/^CN=/, ''), pair: { cert, key }, certificate: raw, fingerprint: fingerprint256 };
  } catch {
    throw new StartError(
      `The file ${file} is damaged: delete it, and let each phone trust the new certificate that the next start makes`,
    );
  }
}

function makeAuthority(machine: string, now: Date): TlsPair {
  const keys = makeKeys();
  const certificate = startCertificate(keys.public, now, AUTHORITY_DAYS);
  // The digits tell the authorities of two folders on one machine apart.
  const name = [{ name: 'commonName', value: `Sendlap ${machine} ${randomBytes(2).toString('hex')}` }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
    { id: '2.5.29.30', critical: true, value: encodeNameConstraints() },
  ]);
  certificate.sign(pki.privateKeyFromPem(keys.private), md.sha256.create());
  return { cert: toPem(certificate), key: keys.private };
}

/** Returns a certificate for these hosts, with the authority's behind it, and its key; PEM. */
export function issueCertificate(authority: Authority, hosts: string[], now: Date): TlsPair {
  const keys = makeKeys();
  const issuer = pki.certificateFromPem(authority.pair.cert);
  const certificate = startCertificate(keys.public, now, CERTIFICATE_DAYS);
  // Not a host: some libraries would check that as a name of the domain system, also if it is an address.
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
  certificate.sign(pki.privateKeyFromPem(authority.pair.key), md.sha256.create());
  return { cert: toPem(certificate) + authority.pair.cert, key: keys.private };
}

function makeKeys(): { public: string; private: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { public: publicKey, private: privateKey };
}

function startCertificate(public_key: string, now: Date, days: number): forge.pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(public_key);
  // A positive number, as RFC 5280 wants it.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - CLOCK_SLACK_DAYS * DAY_MS);
  certificate.validity.notAfter = new Date(now.getTime() + days * DAY_MS);
  return certificate;
}

function toPem(certificate: forge.pki.Certificate): string {
  return pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
}

/** Encodes what the authority may vouch for (RFC 5280, 4.2.1.10): hosts of a local network, and no other. */
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
