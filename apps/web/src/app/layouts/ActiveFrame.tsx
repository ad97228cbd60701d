import type { User } from '@sendlap/contract/users.ts';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { ActivityNews } from '#web/features/activities/ActivityNews.tsx';
import { SyncChip } from '#web/features/activities/sync/SyncChip.tsx';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { askToStartChat } from '#web/shared/live/open-chat.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { NavigationIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { late } from '#web/shared/ui/feedback/late.tsx';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { WhenIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { ScreenBoundary } from '../errors/ScreenBoundary.tsx';
import { Navigation } from './Navigation.tsx';
import { useWarmUp } from './use-warm-up.ts';

const ABOVE_NAVIGATION = 'pb-(--nav-room) wide:pb-0';

type ChatProps = ComponentProps<typeof import('#web/features/chats/Chat.tsx').Chat>;
type PersonProps = ComponentProps<typeof import('#web/features/friends/PersonSheet.tsx').PersonSheet>;

// Loaded after the screen, which must not wait for them. The news they show is in the lists too.
const BadgeNews = late(() => import('#web/features/badges/BadgeNews.tsx').then((m) => m.BadgeNews), ['badges']);
const Chat = late<ChatProps>(() => import('#web/features/chats/Chat.tsx').then((m) => m.Chat), ['chats']);
const ChatLauncher = late(() => import('#web/features/chats/ChatLauncher.tsx').then((m) => m.ChatLauncher), ['chats'], {
  loading: <ChatPlace />,
  Failed: ChatPlace,
});
const FriendNews = late(() => import('#web/features/friends/FriendNews.tsx').then((m) => m.FriendNews));
const InAppNews = late(
  () => import('#web/features/notifications/InAppNews.tsx').then((m) => m.InAppNews),
  ['notifications'],
);
const LocationKeeper = late<{ user_id: string }>(() => import('./LocationKeeper.tsx').then((m) => m.LocationKeeper));
const OfflineKeeper = late(() => import('./OfflineKeeper.tsx').then((m) => m.OfflineKeeper), ['offline']);
const PersonSheet = late<PersonProps>(
  () => import('#web/features/friends/PersonSheet.tsx').then((m) => m.PersonSheet),
  ['friends'],
);
const RequestsBadge = late(
  () => import('#web/features/friends/RequestsBadge.tsx').then((m) => m.RequestsBadge),
  ['friends'],
);
const ScanNews = late(() => import('#web/features/qr/decisions/ScanNews.tsx').then((m) => m.ScanNews), ['qr']);
const WelcomeGate = late(() => import('./WelcomeGate.tsx').then((m) => m.WelcomeGate), ['users']);

interface ActiveFrameProps {
  bare: boolean | undefined;
  /** null: an offline visitor, who reads the saved data. */
  user: User | null;
  children: ReactNode;
}

/** The screen with its navigation, and the parts that run on all screens. */
export function ActiveFrame({ bare, user, children }: ActiveFrameProps) {
  useWarmUp(user?.id);
  const [path] = useLocation();
  return (
    <>
      <div className="flex min-w-0 flex-1 flex-col wide:flex-row">
        <main className={classes('order-1 flex min-w-0 flex-1 flex-col', !bare && ABOVE_NAVIGATION)}>
          <TitleBarEnd value={user ? <SyncChip /> : null}>
            <ScreenBoundary path={path}>
              <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
            </ScreenBoundary>
          </TitleBarEnd>
        </main>
        {!bare && <Navigation requests={user && <RequestsBadge />} chat={user && <LateChatLauncher />} />}
      </div>
      <WhenIdle>
        <OfflineKeeper />
      </WhenIdle>
      {user && (
        <WhenIdle>
          <LocationKeeper user_id={user.id} />
        </WhenIdle>
      )}
      {user && <ActivityNews />}
      {user && <ScanNews />}
      {user && <BadgeNews />}
      {user && <LateChat />}
      {user && <FriendNews />}
      {user && <InAppNews />}
      {user && <WelcomeGate />}
    </>
  );
}

function LateChat() {
  return (
    <WhenIdle>
      <Chat
        renderPerson={(person, onClose) => (
          <PersonSheet person={person} onMessage={askToStartChat} onClose={onClose} onBlocked={onClose} />
        )}
      />
    </WhenIdle>
  );
}

function LateChatLauncher() {
  return (
    <WhenIdle before={<ChatPlace />}>
      <ChatLauncher />
    </WhenIdle>
  );
}

/** Reserves the chat button's space in the navigation until its code has loaded, to avoid a layout shift. */
function ChatPlace() {
  const { t } = useTranslation('shell');
  return (
    <span aria-hidden="true" className={navigationItemClasses(false)}>
      <NavigationIcon name="chat" is_here={false} />
      {t('nav.chats')}
    </span>
  );
}
