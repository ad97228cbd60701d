import { expect, test } from 'vitest';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import { seal, unseal } from './seal-box.ts';

const TEXT = '{"ops":[{"sport_center_name":"Kletterhalle am Nordwall ✓"}]}';

test('a sealed text opens with its owner’s secret only', async () => {
  const [ana, ben] = [fakeOwner(), fakeOwner()];
  const sealed = await seal(TEXT, ana.public_key);
  for (const [public_key, secret] of [
    [ana.public_key, ben.shareSecret(sealed.ephemeral_key)],
    [ben.public_key, ben.shareSecret(sealed.ephemeral_key)],
    [ben.public_key, ana.shareSecret(sealed.ephemeral_key)],
    [ana.public_key, ana.shareSecret((await seal(TEXT, ana.public_key)).ephemeral_key)],
    [ana.public_key, ''],
    [ana.public_key, 'not base64url!'],
  ] as const) {
    expect(await unseal(sealed, public_key, secret)).toBe(null);
  }
  expect(await unseal(sealed, ana.public_key, ana.shareSecret(sealed.ephemeral_key))).toBe(TEXT);
});

test('no changed byte of it goes unnoticed', async () => {
  const ana = fakeOwner();
  const sealed = await seal(TEXT, ana.public_key);
  const secret = ana.shareSecret(sealed.ephemeral_key);
  for (let index = 0; index < sealed.ciphertext.length; index += 1) {
    const ciphertext = Uint8Array.from(sealed.ciphertext);
    ciphertext[index] = (ciphertext[index] ?? 0) ^ 1;
    expect(await unseal({ ...sealed, ciphertext }, ana.public_key, secret)).toBe(null);
  }
  const ciphertext = sealed.ciphertext.slice(0, -1);
  expect(await unseal({ ...sealed, ciphertext }, ana.public_key, secret)).toBe(null);
});

test('no part of the text can be read, and it is sealed differently each time', async () => {
  const { public_key } = fakeOwner();
  const [first, second] = [await seal(TEXT, public_key), await seal(TEXT, public_key)];
  expect(new TextDecoder('latin1').decode(first.ciphertext)).not.toContain('sport');
  expect(first.ciphertext).not.toEqual(second.ciphertext);
  expect(first.ephemeral_key).not.toBe(second.ephemeral_key);
});

test('a text is not sealed with a key of another form', async () => {
  await expect(seal(TEXT, 'AAAA')).rejects.toThrow();
});
