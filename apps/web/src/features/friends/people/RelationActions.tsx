import type { Person } from '@sendlap/contract/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import type { RelationDetails } from './relation.ts';
import { useFriendActions } from './use-friend-actions.ts';

interface RelationActionsProps {
  person: Person;
  details: RelationDetails;
  onMessage: (friend_id: string) => void;
}

/** The actions on a user, by the user's relation to me. */
export function RelationActions({ person, details, onMessage }: RelationActionsProps) {
  const { t } = useTranslation('friends');
  const actions = useFriendActions();
  const { relation, request_id } = details;
  if (relation === 'self') return <Tag icon="user">{t('relation.self')}</Tag>;
  if (relation === 'friend')
    return (
      <Button wide icon="chat" onClick={() => onMessage(person.id)}>
        {t('action.message')}
      </Button>
    );
  if (relation === 'incoming' && request_id !== null)
    return (
      <div className="flex flex-wrap gap-2">
        <NetworkButton
          size="sm"
          icon="check"
          className="grow"
          busy={actions.busy}
          onClick={() => actions.accept(person, request_id)}
        >
          {t('action.accept')}
        </NetworkButton>
        <NetworkButton
          size="sm"
          kind="secondary"
          className="grow"
          disabled={actions.busy}
          onClick={() => actions.decline(person, request_id)}
        >
          {t('action.decline')}
        </NetworkButton>
      </div>
    );
  if (relation === 'outgoing' && request_id !== null)
    return (
      <NetworkButton wide kind="secondary" busy={actions.busy} onClick={() => actions.cancel(person, request_id)}>
        {t('action.cancel')}
      </NetworkButton>
    );
  return (
    <NetworkButton wide icon="plus" busy={actions.busy} onClick={() => actions.request(person)}>
      {t('action.request')}
    </NetworkButton>
  );
}
