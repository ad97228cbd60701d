import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';

interface LoadErrorProps {
  title: string;
  text: string;
  onRetry: () => void;
}

/** What could not be loaded, why, and Retry. */
export function LoadError({ title, text, onRetry }: LoadErrorProps) {
  const { t } = useTranslation('shell');
  return (
    <div role="alert" className="m-auto flex flex-col items-center gap-3 px-6 py-10 text-center">
      <div className="grid size-18 place-items-center rounded-full bg-danger-tint text-danger-ink">
        <Icon name="warning" size={32} />
      </div>
      <h3 className="mt-1 text-xl font-bold">{title}</h3>
      {text !== title && <p className="max-w-[36ch] text-ink-soft">{text}</p>}
      <Button kind="secondary" size="sm" icon="sync" className="mt-2" onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
}
