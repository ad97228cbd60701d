import { createHash } from 'node:crypto';
import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import type { User } from '@sendlap/contract/users.ts';
import { fakeOwner } from '#test/unit/fake-owner.ts';
import { type FakeServer, Refusal } from './fake-server.ts';

/** The key of a user, always the same. */
export function sealingKeyOf({ id }: Pick<User, 'id'>): ReturnType<typeof fakeOwner> {
  const private_key = createHash('sha256').update(id).digest();
  private_key.writeUInt8(private_key.readUInt8() & 0x7f);
  return fakeOwner(private_key);
}

/** Answers the calls about sealed work of this user. */
export function answerSealing(server: FakeServer, user: User): void {
  const { public_key, shareSecret } = sealingKeyOf(user);
  server.on(getSealingKey, () => ({ public_key }));
  server.on(openSeal, ({ body }) => {
    try {
      return { secret: shareSecret(body.ephemeral_key) };
    } catch {
      throw new Refusal('validation_failed');
    }
  });
}
