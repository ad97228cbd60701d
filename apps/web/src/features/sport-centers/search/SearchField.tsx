import { useEffect, useRef } from 'react';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { placeName } from './places.ts';
import { changeWords, clearSearch, type SearchState } from './search-store.ts';
import type { PlaceBox } from './use-place-box.ts';

export interface SearchFieldProps {
  state: SearchState;
  places: PlaceBox;
  onTyping: () => void;
}

/** The search text, or the picked town; arrow keys move through the suggested towns. */
export function SearchField({ state: { q, origin }, places, onTyping }: SearchFieldProps) {
  const { t } = useTranslation('sport-centers');
  const language = useLanguage();
  const field = useRef<HTMLDivElement>(null);
  const place = origin.kind === 'place' ? origin.place : null;
  const isOpen = places.suggestions.length > 0;
  const value = q === '' && place ? placeName(place, language) : q;

  const place_id = place?.id;
  // Selects a town's name as a whole: the next letter starts a new search.
  useEffect(() => {
    const input = field.current?.querySelector('input');
    if (place_id && input && input === document.activeElement) input.select();
  }, [place_id]);

  function type(text: string): void {
    if (text === '') clearSearch();
    else {
      changeWords(text);
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
        aria-controls={isOpen ? places.list_id : undefined}
        aria-activedescendant={places.active ? places.optionId(places.active) : undefined}
        value={value}
        onFocus={(event) => q === '' && event.target.select()}
        onChange={({ target }) => type(target.value)}
        onKeyDown={places.onKeyDown}
        action={value && <IconButton icon="x" label={t('search.clear')} onClick={clear} />}
        className="rounded-lg shadow-low"
      />
    </div>
  );
}
