import { useFriendRequests } from '#web/shared/data/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { countIncoming } from './people/order.ts';

/** The link from the profile to friends and requests, with the number of incoming requests. */
export function FriendsLink() {
  const { t } = useTranslation('friends');
  const waiting = countIncoming(useFriendRequests().data ?? []);
  const text = waiting > 0 ? t('waiting', { count: waiting }) : t('linkText');
  return (
    <LinkRow href={PATHS.friends} icon="user" title={t('link')} text={text} className="bg-surface">
      <CountBubble count={waiting} />
    </LinkRow>
  );
}
