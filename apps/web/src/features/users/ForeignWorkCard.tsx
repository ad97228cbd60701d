import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sealedWork } from '#web/shared/outbox/sealed/client.ts';
import { useSealedWork } from '#web/shared/outbox/sealed/use-sealed-work.ts';
import { countSealedItems } from '#web/shared/outbox/store/records.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';

/** Work that another account kept on this device, to discard it if that account is gone; nothing if there is no such work. */
export function ForeignWorkCard() {
  const { t } = useTranslation('users');
  const { foreign } = useSealedWork();
  const [confirming, setConfirming] = useState(false);
  if (foreign.length === 0) return null;
  const count = countSealedItems(foreign);
  const discard = () => {
    setConfirming(false);
    void sealedWork.discard(foreign);
  };
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('foreignWork.title')}</h2>
      <p className="text-ink-soft">{t('foreignWork.text', { count })}</p>
      <Button wide kind="danger" icon="trash" onClick={() => setConfirming(true)}>
        {t('foreignWork.discard')}
      </Button>
      <Sheet
        open={confirming}
        onOpenChange={setConfirming}
        title={t('foreignWork.confirmTitle')}
        description={t('foreignWork.confirmText')}
      >
        <div className="flex flex-col gap-3 pt-2">
          <Button wide kind="danger" onClick={discard}>
            {t('foreignWork.confirm')}
          </Button>
          <Button wide kind="secondary" onClick={() => setConfirming(false)}>
            {t('foreignWork.keep')}
          </Button>
        </div>
      </Sheet>
    </Card>
  );
}
