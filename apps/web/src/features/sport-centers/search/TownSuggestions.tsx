import type { Town } from '@sendlap/contract/towns.ts';
import { countryName, townName } from '#web/shared/data/town-names.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

import type { TownCombobox } from './use-town-combobox.ts';

/** Suggested towns for the typed text; the keyboard focus stays in the field above. */
export function TownSuggestions({ towns }: { towns: TownCombobox }) {
  const { t } = useTranslation('center-search');
  const { list_id, suggestions, active, optionId, pick } = towns;
  if (suggestions.length === 0) return null;
  return (
    <div id={list_id} role="listbox" aria-label={t('places.label')} className="px-3 pb-1 wide:px-5">
      {suggestions.map((town) => (
        <Suggestion
          key={town.id}
          id={optionId(town)}
          town={town}
          is_active={town === active}
          onPick={() => pick(town)}
        />
      ))}
    </div>
  );
}

interface SuggestionProps {
  id: string;
  town: Town;
  is_active: boolean;
  onPick: () => void;
}

function Suggestion({ id, town, is_active, onPick }: SuggestionProps) {
  const { t } = useTranslation('center-search');
  const language = useLanguage();
  const locale = useLocale();
  const country = countryName(town.country, locale);
  return (
    <div
      id={id}
      role="option"
      aria-selected={is_active}
      tabIndex={-1}
      // The field keeps the focus, and the phone its keyboard, until the user picks a town.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
      onKeyDown={(event) => event.key === 'Enter' && onPick()}
      className={classes(
        'pressable flex min-h-14 cursor-pointer items-center gap-3.5 rounded-md px-2',
        is_active ? 'bg-accent-tint' : 'hover:bg-sunken',
      )}
    >
      <span className="grid size-12 shrink-0 place-items-center rounded-md bg-accent-tint text-accent-ink">
        <Icon name="map-pin" size={22} />
      </span>
      <span className="min-w-0 flex-1 wrap-break-word">
        <span className="font-semibold">{townName(town, language)}</span>
        <span className="text-ink-soft"> · {country}</span>
        <span className="sr-only">. {t('places.hint')}</span>
      </span>
      <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
    </div>
  );
}
