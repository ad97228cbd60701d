import type { Person } from '@sendlap/contract/friends.ts';
import { isPublicId } from '@sendlap/domain/public-id.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { FoundPerson } from './FoundPerson.tsx';
import { parseTypedId } from './typed-id.ts';
import type { FriendSearch } from './use-friend-search.ts';
import { useSearchErrorText } from './use-search-error-text.ts';

interface AddFriendProps {
  search: FriendSearch;
  onMessage: (friend_id: string) => void;
  onOpen: (person: Person) => void;
}

/** Searches for exactly one public id; validates its form before asking the server. */
export function AddFriend({ search, onMessage, onOpen }: AddFriendProps) {
  const { t } = useTranslation('friends');
  const errorText = useSearchErrorText();
  const [typed, setTyped] = useState('');
  const [malformed, setMalformed] = useState(false);
  const { query, found } = search;
  const handleInput = (text: string) => {
    setTyped(text);
    setMalformed(false);
    search.search(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const public_id = parseTypedId(typed);
    if (public_id === '') return;
    if (!isPublicId(public_id)) return setMalformed(true);
    setTyped(public_id);
    if (public_id === search.public_id) void query.refetch();
    search.search(public_id);
  };
  const is_searching = search.public_id !== null && query.isFetching;
  const failed = search.public_id !== null && query.isError && !query.isFetching;
  return (
    <Card as="section" aria-labelledby="add-friend" className="flex flex-col gap-4">
      <h2 id="add-friend" className="text-lg font-bold">
        {t('add.title')}
      </h2>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label={t('add.label')}
          placeholder={t('add.placeholder')}
          className="[&>div]:bg-sunken"
          value={typed}
          error={malformed ? t('add.rules') : failed ? errorText(query.error) : null}
          is_code
          enterKeyHint="search"
          action={typed === '' && <PasteButton onPaste={handleInput} />}
          onChange={({ target }) => handleInput(target.value)}
        />
        <NetworkButton type="submit" kind="secondary" wide size="sm" icon="search" busy={is_searching}>
          {t('add.action')}
        </NetworkButton>
      </form>
      <div role="status" className="contents">
        {found && (
          <>
            <p className="sr-only">{t('add.found')}</p>
            <FoundPerson found={found} found_at={query.dataUpdatedAt} onMessage={onMessage} onOpen={onOpen} />
          </>
        )}
      </div>
    </Card>
  );
}

function PasteButton({ onPaste }: { onPaste: (text: string) => void }) {
  const { t } = useTranslation('friends');
  if (!navigator.clipboard?.readText) return null;
  const paste = () =>
    navigator.clipboard.readText().then(
      (text) => onPaste(parseTypedId(text)),
      () => toast({ title: t('add.pasteFailed'), tone: 'error' }),
    );
  return (
    <button
      type="button"
      className="pressable min-h-12 shrink-0 rounded-md px-3 font-semibold text-accent-ink"
      onClick={() => void paste()}
    >
      {t('add.paste')}
    </button>
  );
}
