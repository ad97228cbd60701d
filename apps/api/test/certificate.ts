import { generateKeyPairSync, sign } from 'node:crypto';

export interface MadeCertificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

const ECDSA_WITH_SHA256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const YEAR_MS = 365 * 86_400_000;

/**
 * Makes a self-signed certificate for `names`. `from`, `to`: its validity; by default a year before and after now.
 */
export function makeCertificate({
  from = Date.now() - YEAR_MS,
  to = Date.now() + YEAR_MS,
  names = ['localhost'] as readonly string[],
} = {}): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from('localhost')))));
  const alt_names = der(0x30, ...names.map((alt_name) => der(0x82, Buffer.from(alt_name))));
  const extensions = der(0xa3, der(0x30, der(0x30, SUBJECT_ALT_NAME, der(0x04, alt_names))));
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, derTime(from), derTime(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = der(0x30, content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Encodes one DER element. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function derTime(time_ms: number): Buffer {
  const digits = new Date(time_ms).toISOString().replace(/\D/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${digits}Z`));
}
