import { useTranslation } from 'react-i18next';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';

/** Which proofs exist for an activity, and what each is worth. */
export function CenterProofs() {
  const { t } = useTranslation('sport-centers');
  return (
    <Card as="section" tone="sunken">
      <h2 className="font-semibold">{t('center.proofTitle')}</h2>
      <ul className="mt-3 flex flex-col gap-3 text-[0.9375rem] text-ink-soft">
        <li className="flex gap-2.5">
          <Icon name="shield" size={22} className="shrink-0 text-gold-ink" />
          {t('center.proofReferee')}
        </li>
        <li className="flex gap-2.5">
          <Icon name="clock" size={22} className="shrink-0" />
          {t('center.proofFriend')}
        </li>
      </ul>
    </Card>
  );
}
