import { FriendsPage } from '#web/features/friends/FriendsPage.tsx';
import { askToStartChat } from '#web/shared/live/open-chat.ts';

/** Friends; writing to one of them is the chat's affair. */
export function FriendsScreen() {
  return <FriendsPage onMessage={askToStartChat} />;
}
