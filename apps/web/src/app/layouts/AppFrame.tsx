import type { User } from '@sendlap/contract/users.ts';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { ActivityLiveUpdates } from '#web/features/activities/ActivityLiveUpdates.tsx';
import { NextAction } from '#web/features/activities/NextAction.tsx';
import { SyncChip } from '#web/features/activities/sync/SyncChip.tsx';
import { useIsWide } from '#web/shared/device/use-is-wide.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { startChatRequests } from '#web/shared/live/chat-requests.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { iconButtonClasses } from '#web/shared/ui/controls/IconButton.tsx';
import { NavigationIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { lazyPart } from '#web/shared/ui/feedback/lazy-part.tsx';
import { ScreenSkeleton } from '#web/shared/ui/feedback/ScreenSkeleton.tsx';
import { useIdle } from '#web/shared/ui/feedback/WhenIdle.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { TitleBarEnd } from '#web/shared/ui/title-bar-end.ts';
import { ScreenBoundary } from '../errors/ScreenBoundary.tsx';
import { ListColumn, NothingChosen, type ShownList } from './ListColumn.tsx';
import { Navigation } from './Navigation.tsx';
import { useWarmUp } from './use-warm-up.ts';

const ABOVE_NAVIGATION = 'pb-(--nav-room) wide:pb-0';

type ChatProps = ComponentProps<typeof import('#web/features/chats/ChatRoot.tsx').ChatRoot>;
type LauncherProps = ComponentProps<typeof import('#web/features/chats/ChatLauncher.tsx').ChatLauncher>;
type PersonProps = ComponentProps<typeof import('#web/features/friends/PersonSheet.tsx').PersonSheet>;

// Loaded after the screen, which must not wait for them. The news they show is in the lists too.
const BadgeCelebrations = lazyPart(
  () => import('#web/features/badges/BadgeCelebrations.tsx').then((m) => m.BadgeCelebrations),
  ['badges'],
);
const ChatRoot = lazyPart<ChatProps>(
  () => import('#web/features/chats/ChatRoot.tsx').then((m) => m.ChatRoot),
  ['chats'],
);
const ChatLauncher = lazyPart<LauncherProps>(
  () => import('#web/features/chats/ChatLauncher.tsx').then((m) => m.ChatLauncher),
  ['chats'],
  { loading: <ChatLauncherPlaceholder />, Failed: ChatLauncherPlaceholder },
);
const FriendLiveUpdates = lazyPart(() =>
  import('#web/features/friends/FriendLiveUpdates.tsx').then((m) => m.FriendLiveUpdates),
);
const InAppNotifications = lazyPart(
  () => import('#web/features/notifications/InAppNotifications.tsx').then((m) => m.InAppNotifications),
  ['notifications'],
);
const PresenceReporter = lazyPart<{ user_id: string }>(() =>
  import('./PresenceReporter.tsx').then((m) => m.PresenceReporter),
);
const OfflineMaintenance = lazyPart(
  () => import('./OfflineMaintenance.tsx').then((m) => m.OfflineMaintenance),
  ['offline'],
);
const PersonSheet = lazyPart<PersonProps>(
  () => import('#web/features/friends/PersonSheet.tsx').then((m) => m.PersonSheet),
  ['friends'],
);
const RequestCount = lazyPart(
  () => import('#web/features/friends/RequestCount.tsx').then((m) => m.RequestCount),
  ['friends'],
);
const ScanLiveUpdates = lazyPart(
  () => import('#web/features/qr/decisions/ScanLiveUpdates.tsx').then((m) => m.ScanLiveUpdates),
  ['qr'],
);
const WelcomeFlow = lazyPart(() => import('../welcome/WelcomeFlow.tsx').then((m) => m.WelcomeFlow), ['users']);

const renderPerson: ChatProps['renderPerson'] = (person, onClose) => (
  <PersonSheet person={person} onMessage={startChatRequests.send} onClose={onClose} onBlocked={onClose} />
);

interface AppFrameProps {
  bare?: boolean | undefined;
  /** The list that the screen was chosen from. Then no children: nothing is chosen. */
  list?: ShownList | undefined;
  /** null: an offline visitor, who reads the saved data. */
  user: User | null;
  children: ReactNode;
}

/** The screen with its navigation, and the parts that run on all screens. */
export function AppFrame({ bare, list, user, children }: AppFrameProps) {
  useWarmUp(user?.id);
  const [path] = useLocation();
  const is_wide = useIsWide();
  const is_idle = useIdle();
  const chat = user && (is_idle ? <ChatLauncher in_title_bar={!is_wide} /> : <ChatLauncherPlaceholder />);
  const title_bar_end = user && (
    <>
      <SyncChip />
      {!bare && !is_wide && chat}
    </>
  );
  return (
    <>
      <div className="flex min-w-0 flex-1 flex-col wide:flex-row">
        <main
          className={classes('order-1 flex min-w-0 flex-1', list ? 'flex-row' : 'flex-col', !bare && ABOVE_NAVIGATION)}
        >
          <TitleBarEnd value={title_bar_end}>
            {list && <ListColumn key={list.path} path={path} list={list} is_alone={!children} />}
            <ScreenBoundary path={path}>
              <Suspense fallback={<ScreenSkeleton />}>{children ?? (list?.fills ? null : <NothingChosen />)}</Suspense>
            </ScreenBoundary>
          </TitleBarEnd>
        </main>
        {!bare && (
          <Navigation
            action={user && <NextAction />}
            requests={is_idle && user && <RequestCount />}
            chat={is_wide ? chat : null}
          />
        )}
      </div>
      {user && <ActivityLiveUpdates />}
      {/* On a slow phone, their code would otherwise run before the screen shows anything. */}
      {is_idle && <OfflineMaintenance />}
      {is_idle && user && (
        <>
          <PresenceReporter user_id={user.id} />
          <ScanLiveUpdates />
          <BadgeCelebrations />
          <ChatRoot renderPerson={renderPerson} />
          <FriendLiveUpdates />
          <InAppNotifications />
          <WelcomeFlow />
        </>
      )}
    </>
  );
}

/** Reserves the chat button's space until its code has loaded, to avoid a layout shift. */
function ChatLauncherPlaceholder() {
  const { t } = useTranslation('shell');
  const is_wide = useIsWide();
  return (
    <span aria-hidden="true" className={is_wide ? navigationItemClasses(false) : iconButtonClasses('plain')}>
      {is_wide ? <NavigationIcon name="chat" is_current={false} /> : <Icon name="chat" />}
      {is_wide && t('nav.chats')}
    </span>
  );
}
