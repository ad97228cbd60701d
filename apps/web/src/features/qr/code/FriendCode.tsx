import { encodeFriendCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { openShareSheet } from '#web/shared/device/share.ts';
import { useWakeLock } from '#web/shared/device/use-wake-lock.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { CODE_BOX } from './CodePanel.tsx';
import { useCopyToClipboard } from './use-copy-to-clipboard.ts';

/** The code by which friends find the user: only the public id, so it never changes and needs no network. */
export function FriendCode() {
  const { t } = useTranslation('qr');
  const { public_id } = useUser();
  const copy = useCopyToClipboard();
  useWakeLock(true);
  const link = qrUrl(location.origin, encodeFriendCode(public_id));
  const share = () => openShareSheet({ text: t('friend.shareText', { id: public_id }), url: link });
  return (
    <>
      <div className="-mx-2 overflow-hidden rounded-xl bg-white text-black shadow-low">
        <QrImage text={link} label={t('friend.image', { id: public_id })} className={CODE_BOX} />
        <div className="px-[7%] pb-4">
          <p className="text-sm text-black/65">{t('friend.id')}</p>
          <p className="figures text-2xl font-bold wrap-anywhere select-all">{public_id}</p>
        </div>
      </div>
      <div className="flex gap-3">
        <Button kind="secondary" icon="copy" wide onClick={() => copy(public_id)}>
          {t('friend.copy')}
        </Button>
        {'share' in navigator && (
          <Button kind="secondary" icon="share" wide onClick={share}>
            {t('friend.share')}
          </Button>
        )}
      </div>
      <p className="px-1 text-label text-ink-soft">{t('friend.hint')}</p>
    </>
  );
}
