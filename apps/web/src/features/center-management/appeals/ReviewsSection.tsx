import { listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { Section } from '../section/Section.tsx';

function reviewsQuery(id: string) {
  return queryOptions({
    queryKey: ['center-management', id, 'reviews'],
    queryFn: ({ signal }) => call(listCenterReviews, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Unusual decisions of referees and kiosks here. Managers talk to people and end rights; operators take decisions back. */
export function ReviewsSection({ id }: { id: string }) {
  const { t } = useTranslation('center-management');
  const query = useQuery(reviewsQuery(id));
  const personName = usePersonName();
  const nameOf = (name: string | null, id: string | null) =>
    name === null || id === null ? '' : t('reviews.person', { name: personName(name), id });
  return (
    <Section title={t('reviews.title')} query={query}>
      {({ items }) => (
        <>
          <p className="text-ink-soft">{t(items.length === 0 ? 'reviews.none' : 'reviews.text')}</p>
          {items.length > 0 && (
            <ul className="flex flex-col gap-3">
              {items.map(
                ({ kind, scanner, athlete, scanner_public_id, athlete_public_id, count }) =>
                  kind !== 'many_refusals' && (
                    <li key={`${kind} ${scanner_public_id} ${athlete_public_id}`} className="wrap-anywhere">
                      {t(`reviews.${kind}`, {
                        scanner: nameOf(scanner, scanner_public_id),
                        athlete: nameOf(athlete, athlete_public_id),
                        count,
                      })}
                    </li>
                  ),
              )}
            </ul>
          )}
        </>
      )}
    </Section>
  );
}
