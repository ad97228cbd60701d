import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify(argon2);

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/;

/** Returns the argon2id hash of a text in PHC form, with a fresh salt. */
export async function hashText(text: string, cost = COST): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const key = await deriveKey('argon2id', { ...cost, message: text, nonce });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(key)}`;
}

/** Returns whether the hash is of this text, in a time that does not depend on the text. Throws for other PHC forms. */
export async function verifyHash(hash: string, text: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', key = ''] = PHC.exec(hash) ?? [];
  if (key === '') throw new TypeError('not argon2id in PHC form');
  const expected = Buffer.from(key, 'base64');
  const parameters: Argon2Parameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    message: text,
    nonce: Buffer.from(salt, 'base64'),
  };
  return timingSafeEqual(await deriveKey('argon2id', parameters), expected);
}

/** PHC strings carry base64 without padding. */
function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
