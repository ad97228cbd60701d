import type { FriendRequest, Person } from '@sendlap/contract/friends.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { PersonRow } from './people/PersonRow.tsx';
import { useFriendActions } from './people/use-friend-actions.ts';

interface RequestsProps {
  direction: FriendRequest['direction'];
  requests: FriendRequest[];
  onOpen: (person: Person) => void;
}

/** Requests in one direction; renders nothing if there are no requests. */
export function Requests({ direction, requests, onOpen }: RequestsProps) {
  const { t } = useTranslation(['friends', 'shell']);
  const online = useOnline();
  const shown = requests.filter((request) => request.direction === direction);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby={`requests-${direction}`}>
      <h2 id={`requests-${direction}`} className="mb-2 px-1 text-lg font-bold">
        {t(`${direction}.title`, { count: shown.length })}
      </h2>
      <Card className="p-0! py-1!">
        <ul>
          {shown.map((request) => (
            <RequestRow key={request.id} request={request} onOpen={onOpen} />
          ))}
        </ul>
        {!online && (
          <p className="flex items-center gap-1.5 px-4 pt-1 pb-3 text-sm text-ink-soft">
            <Icon name="offline" size={18} className="shrink-0" />
            {t('shell:needsNetwork')}
          </p>
        )}
      </Card>
    </section>
  );
}

function RequestRow({ request, onOpen }: { request: FriendRequest; onOpen: (person: Person) => void }) {
  const { t } = useTranslation('friends');
  const online = useOnline();
  const locale = useLocale();
  const personName = usePersonName();
  // The timestamps are the server's, so they are compared with its clock.
  const now = useServerNow();
  const actions = useFriendActions();
  const { id, user, direction } = request;
  const name = personName(user.name);
  const age = formatAge(Date.parse(request.created_at), now, locale);
  return (
    <PersonRow person={user} note={age} onOpen={onOpen}>
      {direction === 'incoming' ? (
        <>
          <Button
            size="sm"
            busy={actions.busy}
            disabled={!online}
            aria-label={t('action.acceptFrom', { name })}
            onClick={() => actions.accept(user, id)}
          >
            {t('action.accept')}
          </Button>
          <Button
            size="sm"
            kind="secondary"
            disabled={!online || actions.busy}
            aria-label={t('action.declineFrom', { name })}
            onClick={() => actions.decline(user, id)}
          >
            {t('action.decline')}
          </Button>
        </>
      ) : (
        <Button
          size="sm"
          kind="secondary"
          disabled={!online}
          aria-label={t('action.cancelTo', { name })}
          onClick={() => actions.cancel(user, id)}
        >
          {t('action.cancel')}
        </Button>
      )}
    </PersonRow>
  );
}
