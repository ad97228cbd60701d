import type { Friend, Person } from '@sendlap/contract/friends.ts';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { FRIEND_FILTER_THRESHOLD } from '#web/shared/people/friend-filter.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { filterFriends, orderFriends } from './people/order.ts';
import { PersonRow } from './people/PersonRow.tsx';

interface FriendListProps {
  friends: Friend[];
  onOpen: (person: Person) => void;
  onMessage: (friend_id: string) => void;
}

/** My friends by name; a long list gets a filter. */
export function FriendList({ friends, onOpen, onMessage }: FriendListProps) {
  const { t } = useTranslation('friends');
  const locale = useLocale();
  const personName = usePersonName();
  const [text, setText] = useState('');
  if (friends.length === 0) return <NoFriends />;
  const filtered = friends.length > FRIEND_FILTER_THRESHOLD;
  const shown = orderFriends(filtered ? filterFriends(friends, text) : friends, locale);
  return (
    <section aria-labelledby="friend-list">
      <div className="mb-2 flex items-baseline gap-2 px-1">
        <h2 id="friend-list" className="min-w-0 flex-1 text-lg font-bold">
          {t('list.title')}
        </h2>
        <p className="text-sm text-ink-soft">{t('list.count', { count: friends.length })}</p>
      </div>
      {filtered && (
        <Field
          label={t('list.filter')}
          label_hidden
          placeholder={t('list.filter')}
          icon="search"
          className="mb-2"
          value={text}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <p role="status" className={shown.length === 0 ? 'px-1 py-4 text-ink-soft' : 'sr-only'}>
        {shown.length === 0 ? t('list.noMatch') : text !== '' && t('list.count', { count: shown.length })}
      </p>
      {shown.length > 0 && (
        <Card className="p-0! py-1!">
          <ul>
            {shown.map(({ id, friend_id, friend_name, friend_public_id }) => (
              <PersonRow
                key={id}
                person={{ id: friend_id, name: friend_name, public_id: friend_public_id }}
                onOpen={onOpen}
              >
                <IconButton
                  icon="chat"
                  variant="tinted"
                  label={t('action.messageTo', { name: personName(friend_name) })}
                  onClick={() => onMessage(friend_id)}
                />
              </PersonRow>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

/** How to find one is shown above it. */
function NoFriends() {
  const { t } = useTranslation('friends');
  return <EmptyState icon="user" title={t('list.emptyTitle')} text={t('list.emptyText')} />;
}
