import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sealedWork } from '#web/shared/outbox/sealed/client.ts';
import type { SealedWorkState } from '#web/shared/outbox/sealed/sealed-work.ts';
import { countSealedItems } from '#web/shared/outbox/store/records.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { DiscardButton } from './DiscardButton.tsx';

/** The user's work of an earlier session that is still sealed: it opens by itself, or is damaged. */
export function SealedItems({ opening, unreadable }: SealedWorkState) {
  const { t } = useTranslation('outbox');
  const discard = () =>
    sealedWork.discard(unreadable).catch(() => toast({ title: t('discardFailed'), tone: 'error', timeout_ms: 0 }));
  return (
    <>
      {opening.length > 0 && (
        <li className="rounded-lg bg-sunken p-3">{t('sealed.opening', { count: countSealedItems(opening) })}</li>
      )}
      {unreadable.length > 0 && (
        <li className="flex flex-col gap-3 rounded-lg bg-danger-tint p-4 text-danger-ink">
          <p className="text-label font-medium">{t('sealed.unreadable', { count: countSealedItems(unreadable) })}</p>
          <DiscardButton onDiscard={() => void discard()} />
        </li>
      )}
    </>
  );
}
