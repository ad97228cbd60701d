import { FriendsPage } from '#web/features/friends/FriendsPage.tsx';
import { startChatRequests } from '#web/shared/live/chat-requests.ts';

/** The friends page; "Message" opens the chat with a friend. */
export function FriendsScreen() {
  return <FriendsPage onMessage={startChatRequests.send} />;
}
