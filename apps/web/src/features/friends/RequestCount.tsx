import { useFriendRequests } from '#web/shared/data/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { countIncoming } from './people/order.ts';

/** The number of incoming requests on the navigation link: on its corner on a phone, at its end on wider screens. */
export function RequestCount() {
  const { t } = useTranslation('friends');
  const waiting = countIncoming(useFriendRequests().data ?? []);
  if (waiting === 0) return null;
  return (
    <>
      <CountBubble count={waiting} className="absolute top-1.5 left-1/2 ml-1.5 wide:static wide:ml-auto" />
      <span className="sr-only">{t('waiting', { count: waiting })}</span>
    </>
  );
}
