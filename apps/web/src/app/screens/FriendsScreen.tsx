import { FriendsPage } from '#web/features/friends/FriendsPage.tsx';
import { requestStartChat } from '#web/shared/live/chat-requests.ts';

/** Friends; messages to them open in the chat. */
export function FriendsScreen() {
  return <FriendsPage onMessage={requestStartChat} />;
}
