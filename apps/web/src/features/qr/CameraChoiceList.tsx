import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { Camera } from './use-camera.ts';

type CameraChoiceListProps = NonNullable<Camera['choice']> & { onDone: () => void };

/** Phones have up to five cameras, and not each of them can focus on a code. The choice is remembered. */
export function CameraChoiceList({ cameras, id, choose, onDone }: CameraChoiceListProps) {
  const { t } = useTranslation('qr');
  return (
    <ul className="flex flex-col gap-2">
      {cameras.map((camera, index) => (
        <li key={camera.id}>
          <button
            type="button"
            aria-pressed={camera.id === id}
            onClick={() => {
              choose(camera.id);
              onDone();
            }}
            className={classes(
              'pressable flex min-h-14 w-full items-center gap-3 rounded-lg px-4 text-left font-medium',
              camera.id === id ? 'bg-accent-tint text-accent-ink' : 'bg-sunken',
            )}
          >
            <Icon name="camera" size={22} className="shrink-0" />
            <span className="min-w-0 flex-1 truncate">
              {camera.label || t('cameras.unnamed', { number: index + 1 })}
            </span>
            {camera.id === id && <Icon name="check" size={22} className="shrink-0" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
