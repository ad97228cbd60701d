import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secrets } from '#api/database/secrets.ts';
import type { SealedSecret } from './header.ts';
import { BackupRefused } from './refusal.ts';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
/** 64 MiB and about 0.2 s for each guess of a thief. */
const SCRYPT: ScryptOptions = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };
const CONTEXT = Buffer.from('secret of a Sendlap server');
export const MIN_PASSPHRASE_LENGTH = 12;

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Tells whether a backup and a secret belong together, without the secret. */
export function checkOfSecret(secrets: Pick<Secrets, 'derive'>): string {
  return secrets.derive('check of a backup').toString('base64url');
}

/** Encrypts the server's secret by a passphrase: scrypt, then AES-256-GCM. */
export async function sealSecret(secret: string, passphrase: string): Promise<SealedSecret> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const key = await deriveKey(passphrase.normalize('NFC'), salt, KEY_BYTES, SCRYPT);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(CONTEXT);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const texts = { salt, nonce, tag: cipher.getAuthTag(), sealed };
  const encode = (name: keyof typeof texts) => texts[name].toString('base64url');
  return { salt: encode('salt'), nonce: encode('nonce'), tag: encode('tag'), sealed: encode('sealed') };
}

/** Throws BackupRefused for a wrong passphrase. */
export async function openSecret({ salt, nonce, tag, sealed }: SealedSecret, passphrase: string): Promise<string> {
  const decode = (text: string) => Buffer.from(text, 'base64url');
  const key = await deriveKey(passphrase.normalize('NFC'), decode(salt), KEY_BYTES, SCRYPT);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, decode(nonce)).setAAD(CONTEXT).setAuthTag(decode(tag));
    return Buffer.concat([decipher.update(decode(sealed)), decipher.final()]).toString('utf8');
  } catch {
    throw new BackupRefused('This passphrase does not open the secret in the backup.');
  }
}
