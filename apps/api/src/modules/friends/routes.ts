import { changePublicId } from '@sendlap/contract/friends.ts';
import type { UserService } from '#api/modules/users/service.ts';
import type { Route } from '#api/platform/route.ts';

export function mountFriends(route: Route, users: UserService): void {
  route(changePublicId, async ({ body }, { user_id }) => {
    await users.changePublicId(user_id, body.public_id);
    return { public_id: body.public_id };
  });
}
