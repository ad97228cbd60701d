import type { CenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import { canHaveDistance } from '@sendlap/domain/sports.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { siteName } from '#web/shared/data/site-name.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { Section } from '../section/Section.tsx';
import { accessOf } from './access.ts';
import { DetailsForm } from './DetailsForm.tsx';
import { detailsQuery } from './queries.ts';

/** The facts of the center that everyone sees. */
export function DetailsSection({ id }: { id: string }) {
  const { t } = useTranslation('center-management');
  const query = useQuery(detailsQuery(id));
  const [is_editing, setEditing] = useState(false);
  return (
    <Section title={t('details.title')} query={query}>
      {(details) =>
        is_editing ? (
          <DetailsForm id={id} details={details} onDone={() => setEditing(false)} />
        ) : (
          <>
            <Facts details={details} />
            <Button kind="secondary" size="sm" icon="edit" wide onClick={() => setEditing(true)}>
              {t('details.edit')}
            </Button>
          </>
        )
      }
    </Section>
  );
}

function Facts({ details }: { details: CenterDetails }) {
  const { t } = useTranslation(['center-management', 'shell']);
  const { address, phone, url, is_private, sports, pool_lengths_m } = details;
  const { pool } = useMeasures();
  const pools = pool_lengths_m.map(pool).join(' · ');
  const rows = [
    [t('center-management:details.name'), details.name],
    [t('center-management:details.address'), address],
    [t('center-management:details.phone'), phone],
    [t('center-management:details.url'), url && siteName(url)],
    [t('center-management:details.access'), t(`center-management:details.${accessOf(is_private)}`)],
    [t('center-management:details.sports'), sports.map((sport) => t(`shell:sport.${sport}`)).join(' · ')],
    ...(sports.some(canHaveDistance) ? [[t('center-management:details.pools'), pools]] : []),
  ];
  return (
    <div className="@container">
      <dl className="grid gap-x-4 @min-2xs:grid-cols-[auto_1fr] @min-2xs:gap-y-2">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd className={`wrap-anywhere @max-2xs:mb-2 ${value ? '' : 'text-ink-faint'}`}>
              {value || t('center-management:details.missing')}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
