import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { isTooYoung } from './visibility.ts';

/** Says that I am hidden, and leads to the switch; or why there is none. */
export function HiddenNote({ onChange }: { onChange: () => void }) {
  const { t } = useTranslation('leaderboards');
  const is_young = isTooYoung(useUser());
  return (
    <div className="flex flex-wrap items-center gap-x-3 rounded-lg bg-sunken py-1 pr-1 pl-4">
      <Icon name="eye" size={22} className="shrink-0 text-ink-soft" />
      <p className="min-w-0 flex-[1_1_8rem] py-2 pr-2 text-[0.9375rem]">{t(is_young ? 'young' : 'hidden')}</p>
      {!is_young && (
        <button
          type="button"
          onClick={onChange}
          className="pressable min-h-12 shrink-0 rounded-md px-3 font-semibold text-accent-ink"
        >
          {t('change')}
        </button>
      )}
    </div>
  );
}
