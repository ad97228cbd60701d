import { useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Card } from '#web/shared/ui/Card.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { OfflineAge } from '#web/shared/ui/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';
import { BodyFigures } from './BodyFigures.tsx';
import { BodySheet } from './BodySheet.tsx';
import { bioInfoFlow, useBioInfo } from './bio-info-client.ts';
import type { BioInfoFlowState } from './bio-info-store.ts';

/** Body data: to see, to edit, to delete. */
export function BodyCard() {
  const { t } = useTranslation('users');
  const bio = useBioInfo(true);
  const [editing, setEditing] = useState(false);
  const known = bio.bio_info !== null || bio.check === 'first_time';
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('body.title')}</h2>
      <BodyContent bio={bio} />
      {known && (
        <NetworkButton
          kind="secondary"
          size="sm"
          icon={bio.bio_info ? 'edit' : 'plus'}
          className="self-start"
          onClick={() => setEditing(true)}
        >
          {t(bio.bio_info ? 'body.edit' : 'body.add')}
        </NetworkButton>
      )}
      <BodySheet open={editing} onClose={() => setEditing(false)} />
    </Card>
  );
}

function BodyContent({ bio }: { bio: BioInfoFlowState }) {
  const { t } = useTranslation('users');
  if (bio.bio_info) {
    return (
      <>
        {bio.cached_at !== null && bio.check_error !== null && <OfflineAge cached_at={bio.cached_at} />}
        <BodyFigures values={bio.bio_info} />
        <p className="text-sm text-ink-faint">{t('body.why')}</p>
      </>
    );
  }
  if (bio.check === 'error') return <CheckFailed error={bio.check_error} />;
  if (bio.check === 'first_time') {
    return (
      <p className="text-ink-soft">
        {t('body.none')} {t('body.why')}
      </p>
    );
  }
  return <BodySkeleton />;
}

function CheckFailed({ error }: { error: unknown }) {
  const { t } = useTranslation(['users', 'shell']);
  const errorText = useErrorText();
  return (
    <div role="alert">
      <p className="font-semibold">{t('users:body.problem.checkFailed')}</p>
      <p className="text-ink-soft">{errorText(error instanceof Error ? error.cause : error)}</p>
      <Button kind="secondary" size="sm" icon="sync" className="mt-3" onClick={() => void bioInfoFlow.check()}>
        {t('shell:retry')}
      </Button>
    </div>
  );
}

/** The shape of what comes: four figures, the reason, the button. */
function BodySkeleton() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Skeleton className="h-12 w-24" />
        <Skeleton className="h-12 w-20" />
        <Skeleton className="h-12 w-20" />
        <Skeleton className="h-12 w-24" />
      </div>
      <Skeleton className="h-15" />
      <Skeleton className="h-12 w-28" />
    </div>
  );
}
