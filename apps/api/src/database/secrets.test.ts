import { randomBytes, randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSecrets, loadOrCreateSecret } from './secrets.ts';

const secrets = createSecrets('a secret of this installation, long enough');

describe('a sealed value', () => {
  test('does not open when a bit of it was changed, in another context, or under another secret', () => {
    const sealed = secrets.encrypt(Buffer.from('key'), 'device 1');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => secrets.decrypt(changed, 'device 1')).toThrow();
    }
    expect(() => secrets.decrypt(sealed, 'device 2')).toThrow();
    expect(() => createSecrets('another secret, just as long as that').decrypt(sealed, 'device 1')).toThrow();
  });

  test('opens to the original text, and never looks the same twice', () => {
    const plain = randomBytes(32);
    const [first, second] = [secrets.encrypt(plain, 'x'), secrets.encrypt(plain, 'x')];
    expect(secrets.decrypt(first, 'x')).toEqual(plain);
    expect(first.equals(second)).toBe(false);
  });
});

test('keys of two purposes differ', () => {
  expect(secrets.derive('one').equals(secrets.derive('two'))).toBe(false);
  expect(secrets.derive('one')).toHaveLength(32);
});

test('the secret is made once, for the owner only, also when two start together', async () => {
  const folder = join(tmpdir(), `sendlap-secret-${randomUUID()}`);
  try {
    const [first = '', ...others] = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecret(folder)));
    expect(new Set([first, ...others, await loadOrCreateSecret(folder)]).size).toBe(1);
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
    expect(Buffer.from(first, 'base64url')).toHaveLength(32);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
