import { type ListedPerson, PeopleFilter } from '@sendlap/contract/server-management/people.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { use } from 'react';
import { Link, useLocation, useSearch, useSearchParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS, personPath } from '#web/shared/paths.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Chip } from '#web/shared/ui/controls/Chip.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ListLayout } from '#web/shared/ui/list-layout.ts';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import { LoadingOrError } from './LoadingOrError.tsx';
import { MoreButton } from './MoreButton.tsx';
import { peopleQuery } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';
import { UserTags } from './UserTags.tsx';

const TYPING_PAUSE_MS = 250;

/** The users, found by name, public id or e-mail address. */
export function PeoplePage() {
  const { t } = useTranslation('server-management');
  const [, navigate] = useLocation();
  // In the address: the way back from a person's page leads to the same list.
  const [query, setQuery] = useSearchParams();
  const typed = query.get('q') ?? '';
  const { data: only = null } = PeopleFilter.safeParse(query.get('only'));
  const change = (key: 'q' | 'only', value: string) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(key);
        else after.set(key, value);
        return after;
      },
      { replace: true },
    );
  return (
    <ServerManagementScreen
      title={t('people.title')}
      back={PATHS.serverManagement}
      actions={<IconButton icon="plus" label={t('add.title')} onClick={() => navigate(PATHS.newPerson)} />}
    >
      <Field
        type="search"
        icon="search"
        label={t('people.search')}
        label_hidden
        placeholder={t('people.search')}
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => change('q', event.target.value)}
      />
      <fieldset className="flex flex-wrap gap-2.5">
        <legend className="sr-only">{t('people.filter.label')}</legend>
        {PeopleFilter.options.map((option) => (
          <Chip key={option} selected={only === option} onClick={() => change('only', only === option ? '' : option)}>
            {t(`people.filter.${option}`)}
          </Chip>
        ))}
      </fieldset>
      <People q={useDebouncedValue(typed, TYPING_PAUSE_MS)} only={only} />
    </ServerManagementScreen>
  );
}

function People({ q, only }: { q: string; only: PeopleFilter | null }) {
  const { t } = useTranslation('server-management');
  const people = useInfiniteQuery(peopleQuery(q, only));
  const found = people.data?.pages.flatMap(({ items }) => items);
  if (!found) return <LoadingOrError error={people.error} onRetry={() => void people.refetch()} />;
  if (found.length === 0)
    return <EmptyState icon="search" title={t('people.none.title')} text={t('people.none.text')} />;
  return (
    <>
      <ul className="overflow-hidden rounded-lg bg-surface">
        {found.map((person) => (
          <ManagedPersonRow key={person.public_id} person={person} />
        ))}
      </ul>
      <MoreButton query={people} />
    </>
  );
}

function ManagedPersonRow({ person }: { person: ListedPerson }) {
  const layout = use(ListLayout);
  const [path] = useLocation();
  const query = useSearch();
  const own_path = personPath(person.public_id);
  const is_current = path === own_path;
  return (
    <li>
      <Link
        // The list beside the person keeps its search in the same address.
        href={layout && query ? `${own_path}?${query}` : own_path}
        // One Back leads from the last person chosen to the list.
        replace={layout === 'beside'}
        aria-current={is_current ? 'page' : undefined}
        className={classes(
          'pressable flex min-h-16 items-center gap-3 px-4 py-2.5 hover:bg-sunken',
          is_current && 'bg-accent-tint',
        )}
      >
        <span className="min-w-0 flex-1 wrap-anywhere">
          <bdi className="block text-left font-semibold">{person.name}</bdi>
          <span className="block text-sm text-ink-faint">{person.public_id}</span>
          <UserTags person={person} />
        </span>
        <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
      </Link>
    </li>
  );
}
