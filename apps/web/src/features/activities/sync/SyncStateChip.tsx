import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import type { SyncState } from './sync-state.ts';

const STYLES: Record<Exclude<SyncState['kind'], 'quiet' | 'syncing'>, { icon: IconName; className: string }> = {
  synced: { icon: 'check', className: 'bg-sunken text-ink-soft' },
  pending: { icon: 'sync', className: 'bg-raised text-ink inset-ring-[1.5px] inset-ring-line' },
  failed: { icon: 'warning', className: 'bg-danger-tint text-danger-ink' },
  refused: { icon: 'warning', className: 'bg-danger-tint text-danger-ink' },
  undecided: { icon: 'warning', className: 'bg-accent-tint text-accent-ink' },
  unreadable: { icon: 'warning', className: 'bg-danger-tint text-danger-ink' },
  broken: { icon: 'warning', className: 'bg-danger-tint text-danger-ink' },
};

interface SyncStateChipProps {
  state: SyncState;
  onOpen: () => void;
  onRetry: () => void;
}

/**
 * Says whether this device's ops have reached the server. On a phone, inside an element with `data-compact`, only its
 * icon and number are shown.
 */
export function SyncStateChip({ state, onOpen, onRetry }: SyncStateChipProps) {
  const { t } = useTranslation('outbox');
  const text = state.kind === 'quiet' ? '' : 'count' in state ? t(state.kind, state) : t(state.kind);
  const style = state.kind === 'quiet' || state.kind === 'syncing' ? null : STYLES[state.kind];
  return (
    <span role="status" className="mr-1 flex shrink-0 items-center gap-1 empty:m-0">
      {state.kind !== 'quiet' && (
        <button
          type="button"
          aria-label={t('open', { state: text })}
          onClick={onOpen}
          className={classes(
            'pressable anim-rise relative inline-flex min-h-10 items-center gap-1.5 rounded-full px-3.5 text-label font-semibold whitespace-nowrap before:absolute before:-inset-1',
            style ? style.className : 'bg-sunken text-ink-soft',
          )}
        >
          {style ? <Icon name={style.icon} size={18} /> : <Spinner size={18} />}
          <span className="max-sm:in-data-compact:sr-only">{text}</span>
          {'count' in state && (
            <span aria-hidden="true" className="figures hidden max-sm:in-data-compact:inline">
              {state.count}
            </span>
          )}
        </button>
      )}
      {state.kind === 'failed' && (
        <button
          type="button"
          onClick={onRetry}
          className="pressable min-h-12 rounded-md px-2 text-label font-semibold text-accent-ink underline underline-offset-4"
        >
          {t('retry')}
        </button>
      )}
    </span>
  );
}
