import { getSportCenter } from '@sendlap/contract/sport-centers.ts';
import { useEffect, useState } from 'react';
import { useRoute } from 'wouter';
import { VisitorLayout } from '#web/features/auth/VisitorLayout.tsx';
import { call } from '#web/shared/api/client.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';

/** Shown to a visitor of a claim link, a member of the center's staff: first, an account is needed. */
export function ClaimVisitorScreen() {
  const { t } = useTranslation('claims');
  const [, params] = useRoute<{ id: string }>(PATHS.centerClaim);
  const id = params?.id ?? '';
  const center = useCenterName(id);
  const tagline = center === null ? t('visitor.untitled') : t('visitor.title', { center });
  return <VisitorLayout title={t('title')} tagline={tagline} pitch={t('visitor.text')} />;
}

/** null: not loaded, or unknown. Visitors have no query client. */
function useCenterName(id: string): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    const left = new AbortController();
    call(getSportCenter, { params: { id } }, { signal: left.signal }).then(
      (center) => setName(center.name),
      () => {
        // The screen says the same without the name.
      },
    );
    return () => left.abort();
  }, [id]);
  return name;
}
