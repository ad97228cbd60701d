import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Section } from '../section/Section.tsx';
import { Hours } from './Hours.tsx';
import { HoursForm } from './HoursForm.tsx';
import { hoursQuery } from './queries.ts';

/** When the center is open, and when it is not. */
export function HoursSection({ id }: { id: string }) {
  const { t } = useTranslation('center-management');
  const query = useQuery(hoursQuery(id));
  const [is_editing, setEditing] = useState(false);
  return (
    <Section title={t('hours.title')} query={query}>
      {(hours) =>
        is_editing ? (
          <HoursForm id={id} hours={hours} onDone={() => setEditing(false)} />
        ) : (
          <>
            <Hours hours={hours} />
            <Button kind="secondary" size="sm" icon="edit" wide onClick={() => setEditing(true)}>
              {t('hours.edit')}
            </Button>
          </>
        )
      }
    </Section>
  );
}
