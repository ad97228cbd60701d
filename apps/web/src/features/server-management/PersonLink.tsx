import type { PersonRef } from '@sendlap/contract/server-management/people.ts';
import { Link } from 'wouter';
import { personPath } from '#web/shared/paths.ts';
import { isDeleted, useAccountName } from './use-account-name.ts';

/** The user's name and id, which lead to their page. */
export function PersonLink({ person }: { person: PersonRef }) {
  const accountName = useAccountName();
  if (isDeleted(person)) return <span className="font-semibold">{accountName(person)}</span>;
  return (
    <Link
      href={personPath(person.public_id)}
      className="pressable inline-flex min-h-12 flex-wrap items-center gap-x-2 wrap-break-word"
    >
      <bdi className="min-w-0 font-semibold text-accent-ink underline underline-offset-3">{person.name}</bdi>
      <span className="text-sm text-ink-faint">{person.public_id}</span>
    </Link>
  );
}
