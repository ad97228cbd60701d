import type { FoundPerson as Found, Person } from '@sendlap/contract/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { PersonHeader } from '../people/PersonHeader.tsx';
import { RelationActions } from '../people/RelationActions.tsx';
import { newestRelation } from '../people/relation.ts';
import { useTimestampedRelation } from '../people/use-relation.ts';

interface FoundPersonProps {
  found: Found;
  /** ms epoch of the search's response. */
  found_at: number;
  onMessage: (friend_id: string) => void;
  /** Opens the user's profile card; if omitted, there is no button for it. */
  onOpen?: (person: Person) => void;
}

/** The user with the searched id, with a relation that stays up to date while it is shown. */
export function FoundPerson({ found, found_at, onMessage, onOpen }: FoundPersonProps) {
  const { t } = useTranslation('friends');
  const listed = useTimestampedRelation(found.id);
  const { id, name, public_id, ...relation } = found;
  const person = { id, name, public_id };
  const details = newestRelation({ value: relation, read_at: found_at }, listed);
  return (
    <div className="flex flex-col gap-4 rounded-lg bg-sunken p-4">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <PersonHeader person={person} relation={details.relation} />
        </div>
        {onOpen && details.relation !== 'self' && (
          <IconButton icon="chevron-right" label={t('person.title')} onClick={() => onOpen(person)} />
        )}
      </div>
      <RelationActions person={person} details={details} onMessage={onMessage} />
    </div>
  );
}
