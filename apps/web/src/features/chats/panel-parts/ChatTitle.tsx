import type { Chat } from '@sendlap/contract/chats.ts';
import type { Person } from '@sendlap/contract/friends.ts';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { chosenName } from '#web/shared/people/use-person-name.ts';
import { isErasedUser } from '../data/erased-user.ts';
import { useParticipantName } from './use-participant-name.ts';

/** Renders the profile card of the other user, which belongs to another feature. */
export type RenderPerson = (person: Person, onClose: () => void) => ReactNode;

interface ChatTitleProps {
  /** Undefined: not in the list of chats, or the list is not loaded yet. */
  chat: Chat | undefined;
  is_typing: boolean;
  renderPerson: RenderPerson;
}

/** The other user's name and typing indicator; opens the profile card with all actions on that user. */
export function ChatTitle({ chat, is_typing, renderPerson }: ChatTitleProps) {
  const { t } = useTranslation('chats');
  const nameOf = useParticipantName();
  const [is_open, setOpen] = useState(false);
  if (!chat) return <span className="block px-1">{t('title')}</span>;
  const person = { ...chat.other_participant, name: chat.name };
  const name = nameOf(person);
  const content = (
    <>
      <Avatar name={chosenName(chat.name)} size="sm" />
      <span className="flex min-w-0 flex-col leading-tight">
        <bdi className="line-clamp-2 wrap-break-word">{name}</bdi>
        {is_typing && <span className="text-caption font-medium text-accent-ink">{t('messages.typing')}</span>}
      </span>
    </>
  );
  if (isErasedUser(person.id)) return <span className="flex min-w-0 items-center gap-2.5">{content}</span>;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={t('messages.profile')}
        onClick={() => setOpen(true)}
        className="pressable flex min-h-12 max-w-full items-center gap-2.5 rounded-lg pr-2 text-left"
      >
        {content}
      </button>
      {is_open && <Suspense fallback={null}>{renderPerson(person, () => setOpen(false))}</Suspense>}
    </>
  );
}
