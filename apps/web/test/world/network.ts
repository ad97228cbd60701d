import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { Moments } from './moments.ts';
import type { Random } from './random.ts';
import type { createServer } from './server.ts';
import type { Sight } from './sights.ts';

interface NetworkDeps {
  random: Random;
  moments: Moments;
  server: ReturnType<typeof createServer>;
  see: (sight: Sight) => void;
  signedIn: () => string;
  /** Sends as the signed-in user, not as the one who saved the op. */
  sends_as_any: boolean;
}

const LONGEST_WAY_MS = 3_000;

const refuse = (code: 'NETWORK_ERROR' | 'HTTP_ERROR', status: number) =>
  new ApiError({ code, status, backend_error: null, message: code });

/** A bad network between a phone and the server, until it is calm. */
export function createNetwork({ random, moments, server, see, signedIn, sends_as_any }: NetworkDeps) {
  let is_calm = false;
  const nextTrouble = () =>
    is_calm ? 'none' : random.pick(['none', 'none', 'dropped', 'cut', 'duplicated', 'portal'] as const);

  async function send(user_id: string, ops: Op[]): Promise<OpResult[]> {
    const trouble = nextTrouble();
    await moments.wait(LONGEST_WAY_MS);
    if (trouble !== 'none') see(trouble);
    if (trouble === 'dropped') throw refuse('NETWORK_ERROR', 0);
    // The request layer reads a portal's 401 as a missing network.
    if (trouble === 'portal') throw refuse('NETWORK_ERROR', 0);
    const sender = signedIn();
    if (sender !== user_id && !sends_as_any) throw refuse('HTTP_ERROR', 401);
    const results = server.sync(sender, ops);
    if (trouble === 'duplicated') server.sync(sender, ops);
    await moments.wait(LONGEST_WAY_MS);
    if (trouble === 'cut') throw refuse('NETWORK_ERROR', 0);
    return results;
  }

  return {
    send,
    calm() {
      is_calm = true;
    },
  };
}
