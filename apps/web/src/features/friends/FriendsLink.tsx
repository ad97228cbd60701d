import { Link } from 'wouter';
import { useFriendRequests } from '#web/shared/api/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { CountBubble } from './CountBubble.tsx';
import { FRIENDS_PATH } from './links.ts';
import { countIncoming } from './order.ts';

/** From the profile to friends and requests, with how many wait for me. */
export function FriendsLink() {
  const { t } = useTranslation('friends');
  const waiting = countIncoming(useFriendRequests().data?.items ?? []);
  return (
    <Link href={FRIENDS_PATH} className="pressable flex min-h-18 items-center gap-3.5 rounded-lg bg-surface px-4 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-ink">
        <Icon name="user" size={22} />
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="block font-semibold">{t('link')}</span>
        <span className="block text-sm text-ink-faint">
          {waiting > 0 ? t('waiting', { count: waiting }) : t('linkText')}
        </span>
      </span>
      <CountBubble count={waiting} />
      <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
    </Link>
  );
}
