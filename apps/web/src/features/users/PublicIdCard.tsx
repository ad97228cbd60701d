import { useTranslation } from 'react-i18next';
import { Card } from '#web/shared/ui/Card.tsx';
import { IconButton } from '#web/shared/ui/IconButton.tsx';
import { toast } from '#web/shared/ui/toast.ts';

/** The id by which friends find me, to copy or to share. */
export function PublicIdCard({ public_id }: { public_id: string }) {
  const { t } = useTranslation('users');
  const copy = async () => {
    await navigator.clipboard.writeText(public_id);
    toast({ title: t('copied'), tone: 'success' });
  };
  const share = () => {
    // Closing the system's sheet is an answer, not a failure.
    navigator.share({ text: t('shareText', { id: public_id }) }).catch(() => {});
  };
  return (
    <Card as="section" className="flex items-center gap-1">
      <div className="min-w-0 flex-1">
        <h2 className="text-[15px] font-medium text-ink-soft">{t('publicId')}</h2>
        <p className="figures truncate text-xl font-semibold">{public_id}</p>
        <p className="text-sm text-ink-faint">{t('publicIdHint')}</p>
      </div>
      <IconButton icon="copy" label={t('copy')} look="tinted" onClick={() => void copy()} />
      {'share' in navigator && <IconButton icon="share" label={t('share')} look="tinted" onClick={share} />}
    </Card>
  );
}
