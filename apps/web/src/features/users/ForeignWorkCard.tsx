import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sealedWork } from '#web/shared/outbox/sealed/client.ts';
import { useSealedWork } from '#web/shared/outbox/sealed/use-sealed-work.ts';
import { countSealedItems } from '#web/shared/outbox/store/records.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { ConfirmSheet } from '#web/shared/ui/sheet/ConfirmSheet.tsx';

/** Work that another account kept on this device, to discard it if that account is gone; nothing if there is no such work. */
export function ForeignWorkCard() {
  const { t } = useTranslation(['users', 'outbox']);
  const { foreign } = useSealedWork();
  const [confirming, setConfirming] = useState(false);
  if (foreign.length === 0) return null;
  const count = countSealedItems(foreign);
  const discard = () =>
    sealedWork.discard(foreign).catch(() => toast({ title: t('outbox:discardFailed'), tone: 'error', timeout_ms: 0 }));
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('foreignWork.title')}</h2>
      <p className="text-ink-soft">{t('foreignWork.text', { count })}</p>
      <Button wide kind="danger" icon="trash" onClick={() => setConfirming(true)}>
        {t('foreignWork.discard')}
      </Button>
      <ConfirmSheet
        open={confirming}
        onOpenChange={setConfirming}
        title={t('foreignWork.confirmTitle')}
        description={t('foreignWork.confirmText')}
        confirm={t('foreignWork.confirm')}
        keep={t('foreignWork.keep')}
        onConfirm={() => void discard()}
      />
    </Card>
  );
}
