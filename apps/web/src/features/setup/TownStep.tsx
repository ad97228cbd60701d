import type { Town } from '@sendlap/contract/towns.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { countryName, townName } from '#web/shared/data/town-names.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import { townsQuery, useUpdateServerProfile } from './queries.ts';
import { StepCard } from './StepCard.tsx';

const TYPING_PAUSE_MS = 150;

/** The town where the map begins. */
export function TownStep({ town }: { town: Town | null }) {
  const { t } = useTranslation('setup');
  const language = useLanguage();
  const locale = useLocale();
  const [is_changing, setChanging] = useState(false);
  return (
    <StepCard number={2} title={t('town.title')} is_done={town !== null}>
      <p className="text-ink-soft">{t('town.text')}</p>
      {town && (
        <p className="flex items-center gap-2.5">
          <Icon name="map-pin" size={22} className="shrink-0 text-accent-ink" />
          <span>
            <span className="font-semibold">{townName(town, language)}</span>
            <span className="text-ink-soft"> · {countryName(town.country, locale)}</span>
          </span>
        </p>
      )}
      {(!town || is_changing) && <TownSearch takes_focus={is_changing} onChosen={() => setChanging(false)} />}
      {town && (
        <Button kind="quiet" size="sm" wide onClick={() => setChanging(!is_changing)}>
          {is_changing ? t('town.keep', { name: townName(town, language) }) : t('town.change')}
        </Button>
      )}
    </StepCard>
  );
}

interface TownSearchProps {
  /** Whether a button has opened the search. */
  takes_focus: boolean;
  onChosen: () => void;
}

function TownSearch({ takes_focus, onChosen }: TownSearchProps) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const text = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const { data, error } = useQuery(townsQuery(text));
  const update = useUpdateServerProfile();
  const problem = error ?? update.error;
  const search = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takes_focus) search.current?.querySelector('input')?.focus();
  }, [takes_focus]);
  return (
    <div ref={search} className="flex flex-col gap-2">
      <Field
        label={t('town.label')}
        placeholder={t('town.placeholder')}
        icon="search"
        value={typed}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        className="[&>div]:bg-sunken"
        onChange={(event) => setTyped(event.target.value)}
      />
      {problem && <Problem>{errorText(problem)}</Problem>}
      {data && (
        <ul>
          {data.items.map((town) => (
            <li key={town.id}>
              <TownChoice
                town={town}
                is_saving={update.isPending && update.variables.town_id === town.id}
                onChoose={() => update.mutate({ town_id: town.id }, { onSuccess: onChosen })}
              />
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="px-1 text-ink-faint empty:hidden">
        {data?.items.length === 0 ? t('town.none') : ''}
      </p>
    </div>
  );
}

function TownChoice({ town, is_saving, onChoose }: { town: Town; is_saving: boolean; onChoose: () => void }) {
  const { t } = useTranslation('setup');
  const language = useLanguage();
  const locale = useLocale();
  const [name, country] = [townName(town, language), countryName(town.country, locale)];
  return (
    <button
      type="button"
      aria-label={t('town.choose', { name, country })}
      aria-busy={is_saving || undefined}
      onClick={onChoose}
      className="pressable flex min-h-12 w-full items-center gap-3 rounded-md px-2 text-left hover:bg-sunken"
    >
      <Icon name="map-pin" size={22} className="shrink-0 text-accent-ink" />
      <span className="min-w-0 flex-1 wrap-break-word">
        <span className="font-semibold">{name}</span>
        <span className="text-ink-soft"> · {country}</span>
      </span>
      <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
    </button>
  );
}
