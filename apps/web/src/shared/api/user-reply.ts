import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import { defaultUserName } from '@sendlap/domain/names.ts';
import type { Json } from './reply.ts';

/** Returns a user with the spec's defaults (section 3) for fields that the server omits. */
function completeUser(user: Json, now_ms: number): Json {
  const email = typeof user.email === 'string' ? user.email : '';
  return {
    ...user,
    email,
    name: defaultUserName({ name: typeof user.name === 'string' ? user.name : null, email }),
    public_id: user.public_id ?? '',
    age: user.age ?? 0,
    weight_kg: user.weight_kg ?? 0,
    height_cm: user.height_cm ?? 0,
    is_active: user.is_active ?? true,
    created_at: user.created_at ?? new Date(now_ms).toISOString(),
  };
}

function completeTokens(tokens: unknown): Json {
  return isRecord(tokens) ? { tokens: { expires_in: 0, ...tokens } } : {};
}

/**
 * Converts a reply with a user into the contract's shape { user, … }: out of its envelope, the user itself or inside
 * `user`, with defaults. Tokens without a lifetime count as expired. Leaves anything else for the schema to refuse.
 */
export function completeUserReply(body: unknown): unknown {
  let content = body;
  while (isRecord(content) && isRecord(content.data)) content = content.data;
  if (!isRecord(content)) return body;
  if (isRecord(content.user))
    return { ...content, ...completeTokens(content.tokens), user: completeUser(content.user, Date.now()) };
  return 'id' in content ? { user: completeUser(content, Date.now()) } : content;
}
