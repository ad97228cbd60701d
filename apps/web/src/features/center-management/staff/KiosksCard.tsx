import type { CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { ConfirmedButton } from '#web/shared/ui/controls/ConfirmedButton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { InvitePanel } from './InvitePanel.tsx';
import { useRevokeKiosks } from './queries.ts';

interface KiosksCardProps {
  id: string;
  kiosks: CenterStaff['kiosks'];
  onInvited: () => void;
}

/** The center's tablets, whose code athletes scan at the start and at the finish. */
export function KiosksCard({ id, kiosks, onInvited }: KiosksCardProps) {
  const { t } = useTranslation('center-management');
  // The focus of a removed button.
  const heading = useRetainedFocus<HTMLHeadingElement>('section');
  const locale = useLocale();
  const now = useServerNow();
  const revoke = useRevokeKiosks(id);
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
        {t('kiosk.title')}
      </h2>
      <p className="text-ink-soft">{t('kiosk.text')}</p>
      <InvitePanel sport_center_id={id} kind="kiosk" count={kiosks.length} onInvited={onInvited} />
      {kiosks.length > 0 && (
        <ul className="flex flex-col gap-3">
          {kiosks.map(({ id: kiosk_id, paired_at, last_used_at }) => (
            <li key={kiosk_id} className="flex items-center gap-3">
              <Icon name="device" size={22} className="shrink-0 text-accent-ink" />
              <span>
                <span className="font-semibold">{t('kiosk.paired', { date: formatDateOf(paired_at, locale) })}</span>
                <span className="block text-sm text-ink-soft">
                  {t('kiosk.lastUsed', { age: formatAge(Date.parse(last_used_at), now, locale) })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {kiosks.length > 0 && (
        <ConfirmedButton
          label={t('kiosk.revoke', { count: kiosks.length })}
          question={t('kiosk.revokeWhy')}
          cancel={t('keep')}
          mutation={revoke}
          onConfirm={() => revoke.mutate()}
        />
      )}
    </Card>
  );
}
