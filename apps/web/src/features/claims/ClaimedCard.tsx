import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerManagementPath, sportCenterPath } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { PosterLink } from './PosterLink.tsx';

/** The user manages the center; what to do first. */
export function ClaimedCard({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('claims');
  return (
    <>
      <Card as="section" className="flex flex-col items-center gap-3 py-8 text-center">
        <span className="grid size-18 place-items-center rounded-full bg-accent-tint text-accent-ink">
          <Icon name="check" size={32} />
        </span>
        <div role="status">
          <h2 className="text-xl font-bold wrap-anywhere">{t('done.title', { center: name })}</h2>
        </div>
        <p className="text-ink-soft">{t('done.text')}</p>
      </Card>
      <LinkRow
        href={centerManagementPath(id)}
        icon="shield"
        title={t('done.staff')}
        text={t('done.staffText')}
        className="bg-surface"
      />
      <PosterLink center_id={id} />
      <LinkRow
        href={sportCenterPath(id)}
        icon="map-pin"
        title={t('done.center')}
        text={t('done.centerText')}
        className="bg-surface"
      />
    </>
  );
}
