import { encodeFriendCode, qrUrl } from '@sendlap/domain/qr-code.ts';
import { Link } from 'wouter';
import { useUser } from '#web/shared/api/use-session.ts';
import { openShareSheet } from '#web/shared/device/share.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { FRIEND_CODE_PATH, PATHS } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** My id and code, by which others find me, and the scanner for their codes. Works offline. */
export function MyCode() {
  const { t } = useTranslation('friends');
  const { public_id } = useUser();
  const copy = () => copyText(public_id, { copied: t('mine.copied'), failed: t('mine.copyFailed') });
  const share = () => {
    const url = qrUrl(location.origin, encodeFriendCode(public_id));
    openShareSheet({ text: t('mine.shareText', { id: public_id }), url });
  };
  return (
    <Card as="section" aria-labelledby="my-id">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 id="my-id" className="text-label font-medium text-ink-soft">
            {t('mine.id')}
          </h2>
          <p className="figures text-xl font-semibold wrap-anywhere select-all">{public_id}</p>
        </div>
        <IconButton icon="copy" variant="tinted" label={t('mine.copy')} onClick={() => void copy()} />
      </div>
      <p className="text-sm text-ink-faint">{t('mine.text')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link href={FRIEND_CODE_PATH} className={`${buttonClasses('secondary', 'sm')} grow`}>
          <Icon name="qr" size={22} />
          {t('mine.code')}
        </Link>
        {'share' in navigator && (
          <Button kind="secondary" size="sm" icon="share" className="grow" onClick={share}>
            {t('mine.share')}
          </Button>
        )}
        <Link href={PATHS.scan} className={`${buttonClasses('secondary', 'sm')} grow`}>
          <Icon name="scan" size={22} />
          {t('mine.scan')}
        </Link>
      </div>
    </Card>
  );
}
