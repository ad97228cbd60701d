import type { Person, Relation } from '@sendlap/contract/friends.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { chosenName, usePersonName } from '#web/shared/people/use-person-name.ts';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';

/** The head of a profile card: the user's name and id, and the relation to me. */
export function PersonHeader({ person, relation }: { person: Person; relation: Relation }) {
  const { t } = useTranslation('friends');
  const personName = usePersonName();
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar name={chosenName(person.name)} size="lg" />
      <div className="min-w-0 grow basis-[9rem]">
        <p className="text-xl font-bold tracking-tight wrap-anywhere">
          <bdi>{personName(person.name)}</bdi>
        </p>
        <p className="figures text-label text-ink-soft wrap-anywhere select-all">{person.public_id}</p>
        {(relation === 'friend' || relation === 'outgoing' || relation === 'incoming') && (
          <div className="mt-1.5 flex">
            <Tag
              wraps
              tone={relation === 'friend' ? 'accent' : 'neutral'}
              icon={relation === 'friend' ? 'check' : 'clock'}
            >
              {t(`relation.${relation}`)}
            </Tag>
          </div>
        )}
      </div>
    </div>
  );
}
