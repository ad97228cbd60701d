import type { Person } from '@sendlap/contract/friends.ts';
import type { ReactNode } from 'react';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { chosenName, usePersonName } from '#web/shared/people/use-person-name.ts';

interface PersonRowProps {
  person: Person;
  /** Shown after the public id. */
  note?: string;
  onOpen: (person: Person) => void;
  /** Buttons at the end of the row, or below it where the row is too narrow. */
  children?: ReactNode;
}

/** One user of a list; a tap opens the profile card. */
export function PersonRow({ person, note, onOpen, children }: PersonRowProps) {
  const personName = usePersonName();
  return (
    <li className="flex flex-wrap items-center gap-x-2 px-2 py-1">
      <button
        type="button"
        className="pressable flex min-h-16 min-w-0 grow basis-[11rem] items-center gap-3.5 rounded-lg px-2 py-1.5 text-left"
        onClick={() => onOpen(person)}
      >
        <Avatar name={chosenName(person.name)} />
        <span className="min-w-0 flex-1">
          <bdi className="block font-semibold wrap-anywhere">{personName(person.name)}</bdi>
          <span className="block text-sm wrap-break-word text-ink-faint">
            {person.public_id}
            {note && ` · ${note}`}
          </span>
        </span>
      </button>
      {children && (
        <div className="flex min-w-0 flex-wrap items-center justify-end gap-2 py-1 not-first:ml-auto">{children}</div>
      )}
    </li>
  );
}
