import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../platform/start-error.ts';
import { databaseErrorCode } from './database.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/** Keys derived from the one secret, which is kept outside the database. */
export interface Secrets {
  /** Returns 32 bytes that depend on the purpose only. */
  derive(purpose: string): Buffer;
  /** AES-256-GCM: nonce, tag and ciphertext in one buffer. `decrypt` needs the same `context`. */
  encrypt(plain: Buffer, context: string): Buffer;
  /** Throws if the buffer was changed or belongs to another context. */
  decrypt(sealed: Buffer, context: string): Buffer;
}

export function createSecrets(secret: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const storage_key = derive('encryption at rest');
  return {
    derive,
    encrypt(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', storage_key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    decrypt(sealed, context) {
      const tag_end = NONCE_BYTES + TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', storage_key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(NONCE_BYTES, tag_end));
      return Buffer.concat([decipher.update(sealed.subarray(tag_end)), decipher.final()]);
    },
  };
}

/**
 * Returns this installation's secret from `data_dir`, undefined if it is missing. Throws a StartError if it cannot be
 * read.
 */
export async function readSecret(data_dir: string): Promise<string | undefined> {
  const file = join(data_dir, 'secret');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const code = databaseErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new StartError(
      `The secret ${file} cannot be read (${code}): give it back to the account that starts Sendlap`,
    );
  }
}

/**
 * Returns this installation's secret, created at the first start and kept in `data_dir` (mode 0600). The file gets its
 * name only when it is complete, so that a second start cannot read half of it.
 */
export async function loadOrCreateSecret(data_dir: string): Promise<string> {
  await mkdir(data_dir, { recursive: true });
  const file = join(data_dir, 'secret');
  const temp_file = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFileSynced(temp_file, randomBytes(SECRET_BYTES).toString('base64url'));
    // A link fails if the name is taken: the first start wins.
    await link(temp_file, file).catch((error: unknown) => {
      if (databaseErrorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temp_file, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

/**
 * Returns the file in which a restore leaves a secret that the operator has to set: its name differs for each secret, so that
 * none replaces another one, and never the `secret` of an embedded database.
 */
export function restoredSecretFile(data_dir: string, secret_check: string): string {
  return join(data_dir, `restored-secret-${Buffer.from(secret_check, 'base64url').toString('hex').slice(0, 8)}`);
}

/** Writes a secret into a file that only its owner reads (mode 0600), in place of the one that is there. */
export async function writeSecret(file: string, secret: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temp_file = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFileSynced(temp_file, secret);
  await rename(temp_file, file);
}

async function writeFileSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    // Root may prepare the folder of a service, whose account has to read it.
    const { uid, gid } = await stat(dirname(file));
    if (process.getuid?.() === 0) await handle.chown(uid, gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
