import { isUuidV4 } from '../ids.ts';

/**
 * Why a chat cannot be opened or started (spec, section 5).
 * `no_chat_id`: no usable id. `no_uuid`: a text that is not a UUID v4. `no_chat`: not an object with a valid id.
 * `cannot_open`: a chat that I do not have. `no_friend`: not a UUID v4 of a friend.
 */
export type ChatProblem =
  | { code: 'no_chat_id' | 'no_uuid'; value: string }
  | { code: 'no_chat' | 'cannot_open' | 'no_friend' };

export type CheckedId = { ok: true; id: string } | { ok: false; problem: ChatProblem };

/** Refused values are shortened to this many characters. */
const MAX_QUOTED_LENGTH = 80;

/** Returns a chat's id in lower case, or the problem with the refused value. */
export function checkChatId(value: unknown): CheckedId {
  if (typeof value !== 'string' || value === '') return invalid({ code: 'no_chat_id', value: describeValue(value) });
  if (!isUuidV4(value)) return invalid({ code: 'no_uuid', value: describeValue(value) });
  return { ok: true, id: value.toLowerCase() };
}

/** Returns the id of a chat to open: an object with a valid id. */
export function checkChat(value: unknown): CheckedId {
  const has_id = typeof value === 'object' && value !== null && 'id' in value && isUuidV4(value.id);
  return has_id ? checkChatId(value.id) : invalid({ code: 'no_chat' });
}

/** Returns the id of a friend in lower case. */
export function checkFriendId(value: unknown): CheckedId {
  return isUuidV4(value) ? { ok: true, id: value.toLowerCase() } : invalid({ code: 'no_friend' });
}

function invalid(problem: ChatProblem): CheckedId {
  return { ok: false, problem };
}

/** Returns a text for a refused value. Never calls an object's own toString, which might throw. */
function describeValue(value: unknown): string {
  const is_object = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const name = is_object ? Object.prototype.toString.call(value) : String(value);
  return name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name;
}
