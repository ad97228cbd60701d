import { type ComponentProps, useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { askToStartChat } from '#web/shared/live/open-chat.ts';
import { late } from '#web/shared/ui/late.tsx';

type ChatProps = ComponentProps<typeof import('#web/features/chats/Chat.tsx').Chat>;
type SheetProps = ComponentProps<typeof import('#web/features/friends/PersonSheet.tsx').PersonSheet>;

const Chat = late<ChatProps>(() => import('#web/features/chats/Chat.tsx').then((m) => m.Chat), ['chats']);

const PersonSheet = late<SheetProps>(
  () => import('#web/features/friends/PersonSheet.tsx').then((m) => m.PersonSheet),
  ['friends'],
);

/** The chat is loaded after the screen. */
export function LateChat() {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? (
    <Chat
      renderPerson={(person, onClose) => (
        <PersonSheet person={person} onMessage={askToStartChat} onClose={onClose} onBlocked={onClose} />
      )}
    />
  ) : null;
}
