import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import type { Route } from '#api/http/route.ts';
import type { SealingKeyService } from './service.ts';

export function mountSealingKeys(route: Route, sealing_keys: SealingKeyService): void {
  route(getSealingKey, async (_input, { user_id }) => ({ public_key: sealing_keys.getPublicKey(user_id) }));
  route(openSeal, async ({ body }, { user_id }) => ({
    secret: sealing_keys.deriveSecret(user_id, body.ephemeral_key),
  }));
}
