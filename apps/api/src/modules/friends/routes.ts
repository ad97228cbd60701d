import {
  acceptFriendRequest,
  blockUser,
  cancelFriendRequest,
  declineFriendRequest,
  listBlocks,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  searchFriend,
  unblockUser,
} from '@sendlap/contract/friends.ts';
import { readIdempotencyKey } from '#api/http/idempotency-key.ts';
import type { HttpExchange, Route } from '#api/http/route.ts';
import type { WriteResult } from './lock-pair.ts';
import type { FriendService } from './service.ts';

export function mountFriends(route: Route, friends: FriendService): void {
  route(listFriends, (_input, { user_id }) => friends.listFriends(user_id));
  route(listFriendRequests, (_input, { user_id }) => friends.listRequests(user_id));
  route(searchFriend, ({ body }, { user_id }) => friends.searchFriend(user_id, body.public_id));
  route(requestFriend, async ({ body }, { user_id }, http) => {
    const input = { public_id: body.receiver_public_id, key: readIdempotencyKey(http.request) };
    return replyWith(await friends.requestFriend(user_id, input), http);
  });
  route(acceptFriendRequest, async ({ params }, { user_id }, http) =>
    replyWith(await friends.acceptRequest(user_id, params.id), http),
  );
  route(declineFriendRequest, async ({ params }, { user_id }, http) =>
    replyWith(await friends.declineRequest(user_id, params.id), http),
  );
  route(cancelFriendRequest, async ({ params }, { user_id }, http) =>
    replyWith(await friends.cancelRequest(user_id, params.id), http),
  );
  route(removeFriend, async ({ params }, { user_id }, http) =>
    replyWith(await friends.removeFriend(user_id, params.id), http),
  );
  route(listBlocks, (_input, { user_id }) => friends.listBlocks(user_id));
  route(blockUser, async ({ body }, { user_id }, http) =>
    replyWith(await friends.blockUser(user_id, body.user_id), http),
  );
  route(unblockUser, async ({ params }, { user_id }, http) =>
    replyWith(await friends.unblockUser(user_id, params.id), http),
  );
}

function replyWith<Value>({ value, is_repeat }: WriteResult<Value>, { reply }: HttpExchange): Value {
  if (is_repeat) reply.header('idempotent-replay', 'true');
  return value;
}
