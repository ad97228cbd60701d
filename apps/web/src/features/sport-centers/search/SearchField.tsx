import { useEffect, useRef } from 'react';
import { townName } from '#web/shared/data/town-names.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { changeText, clearSearch, type SearchState } from './search-store.ts';

import type { TownCombobox } from './use-town-combobox.ts';

export interface SearchFieldProps {
  state: SearchState;
  towns: TownCombobox;
  onTyping: () => void;
}

/** The search text, or the picked town; arrow keys move through the suggested towns. */
export function SearchField({ state: { q, origin }, towns, onTyping }: SearchFieldProps) {
  const { t } = useTranslation('sport-centers');
  const language = useLanguage();
  const field = useRef<HTMLDivElement>(null);
  const town = origin.kind === 'town' ? origin.town : null;
  const isOpen = towns.suggestions.length > 0;
  const value = q === '' && town ? townName(town, language) : q;

  const town_id = town?.id;
  // Selects a town's name as a whole: the next letter starts a new search.
  useEffect(() => {
    const input = field.current?.querySelector('input');
    if (town_id && input && input === document.activeElement) input.select();
  }, [town_id]);

  function handleInput(text: string): void {
    if (text === '') clearSearch();
    else {
      changeText(text);
      onTyping();
    }
  }

  function clear(): void {
    clearSearch();
    field.current?.querySelector('input')?.focus();
  }

  return (
    <div ref={field} className="min-w-0 flex-1">
      <Field
        label={t('search.label')}
        label_hidden
        placeholder={t('search.placeholder')}
        icon="search"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={120}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? towns.list_id : undefined}
        aria-activedescendant={towns.active ? towns.optionId(towns.active) : undefined}
        value={value}
        onFocus={(event) => q === '' && event.target.select()}
        onChange={({ target }) => handleInput(target.value)}
        onKeyDown={towns.onKeyDown}
        action={value && <IconButton icon="x" label={t('search.clear')} onClick={clear} />}
        className="rounded-lg shadow-low"
      />
    </div>
  );
}
