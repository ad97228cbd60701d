import { type ComponentProps, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { whenIdle } from '#web/shared/device/idle.ts';
import { askToStartChat } from '#web/shared/live/open-chat.ts';
import { late } from '#web/shared/ui/late.tsx';
import { PATHS } from '../paths.ts';

type Door = typeof import('#web/features/chats/ChatDoor.tsx').ChatDoor;
type Sheet = typeof import('#web/features/friends/PersonSheet.tsx').PersonSheet;

const ChatDoor = late<ComponentProps<Door>>(
  () => import('#web/features/chats/ChatDoor.tsx').then((m) => m.ChatDoor),
  ['chats'],
);

const PersonSheet = late<ComponentProps<Sheet>>(
  () => import('#web/features/friends/PersonSheet.tsx').then((m) => m.PersonSheet),
  ['friends'],
);

/** The chat comes after the screen. `bare`: a screen that needs all its room. */
export function LateChat({ bare }: { bare: boolean | undefined }) {
  const [path] = useLocation();
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const place = bare ? 'none' : placeOn(path);
  // The end of a screen can be scrolled out from under the button; the map has none.
  const has_end = place !== 'none' && path !== PATHS.sportCenters;
  return idle ? (
    <>
      {has_end && <div className="h-14 shrink-0 wide:hidden" />}
      <ChatDoor
        place={place}
        renderPerson={(person, onClose) => (
          <PersonSheet person={person} onMessage={askToStartChat} onClose={onClose} onBlocked={onClose} />
        )}
      />
    </>
  ) : null;
}

/** Not on an activity, whose buttons stick to the bottom; on a board above one's own row, which does. */
function placeOn(path: string): 'none' | 'low' | 'high' {
  if (path.startsWith(`${PATHS.history}/`)) return 'none';
  return path === PATHS.leaderboards ? 'high' : 'low';
}
