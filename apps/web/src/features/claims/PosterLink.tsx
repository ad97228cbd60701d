import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { centerPosterPath } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';

/** The way to the poster of a center, for its managers. */
export function PosterLink({ center_id }: { center_id: string }) {
  const { t } = useTranslation('claims');
  return (
    <LinkRow
      href={centerPosterPath(center_id)}
      icon="image"
      title={t('poster.link')}
      text={t('poster.linkText')}
      className="bg-surface"
    />
  );
}
