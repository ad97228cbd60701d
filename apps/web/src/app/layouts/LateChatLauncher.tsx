import { useEffect, useState } from 'react';
import { whenIdle } from '#web/shared/device/idle.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { late } from '#web/shared/ui/late.tsx';
import { NavigationIcon, navigationItemClasses } from '#web/shared/ui/NavigationItem.tsx';

const ChatLauncher = late(() => import('#web/features/chats/ChatLauncher.tsx').then((m) => m.ChatLauncher), ['chats'], {
  loading: <Reserved />,
  Failed: Reserved,
});

/** The chat button is loaded after the screen; until then its place in the navigation is drawn, so that nothing moves. */
export function LateChatLauncher() {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return idle ? <ChatLauncher /> : <Reserved />;
}

function Reserved() {
  const { t } = useTranslation('shell');
  return (
    <span aria-hidden="true" className={navigationItemClasses(false)}>
      <NavigationIcon name="chat" is_here={false} />
      {t('nav.chats')}
    </span>
  );
}
