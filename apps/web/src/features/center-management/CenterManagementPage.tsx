import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useFragment } from '#web/shared/device/fragment.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { centerPosterPath, sportCenterPath } from '#web/shared/paths.ts';
import { LinkRow } from '#web/shared/ui/controls/LinkRow.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { LoadingCards } from '#web/shared/ui/feedback/LoadingCards.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { AppealsSection } from './appeals/AppealsSection.tsx';
import { ReviewsSection } from './appeals/ReviewsSection.tsx';
import { DetailsSection } from './details/DetailsSection.tsx';
import { detailsQuery } from './details/queries.ts';
import { HoursSection } from './hours/HoursSection.tsx';
import { hoursQuery } from './hours/queries.ts';
import { ManagerInvite } from './ManagerInvite.tsx';
import { centerNameQuery, staffQuery } from './staff/queries.ts';
import { StaffCards } from './staff/StaffCards.tsx';
import { WeeksSection } from './weeks/WeeksSection.tsx';

/** Where managers run one center. An invite's address opens it with the code in the fragment. */
export function CenterManagementPage() {
  const { t } = useTranslation('center-management');
  const { id = '' } = useParams<{ id: string }>();
  const code = useFragment();
  return (
    <Screen title={t('title')} onBack={useGoBack(sportCenterPath(id))}>
      <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
        {code === '' ? <Management key={id} id={id} /> : <Invite key={code} id={id} code={code} />}
      </div>
    </Screen>
  );
}

function Invite({ id, code }: { id: string; code: string }) {
  const { data: name } = useQuery(centerNameQuery(id));
  return (
    <>
      <CenterName name={name} />
      <ManagerInvite id={id} code={code} name={name} />
    </>
  );
}

function CenterName({ name }: { name: string | undefined }) {
  return <p className="min-h-6 px-1 font-semibold text-ink-soft wrap-break-word">{name}</p>;
}

/**
 * The server refuses all but managers; one refusal replaces all sections. What fills the first screen appears together,
 * so that nothing there moves while it loads.
 */
function Management({ id }: { id: string }) {
  const { t } = useTranslation('center-management');
  const [is_watching, setWatching] = useState(false);
  // A section that is loaded again after an error stays where it is.
  const [has_settled, setSettled] = useState(false);
  const { data: staff, error, refetch } = useQuery(staffQuery(id, is_watching));
  const name = useQuery(centerNameQuery(id));
  const { isPending: awaits_details } = useQuery(detailsQuery(id));
  const { isPending: awaits_hours } = useQuery(hoursQuery(id));
  const onInvited = () => setWatching(true);
  if (!staff && error) {
    const offline = { title: t('offline.title'), text: t('offline.text') };
    return <ErrorState title={t('failed')} error={error} offline={offline} onRetry={() => void refetch()} />;
  }
  if (!has_settled && staff && !name.isPending && !awaits_details && !awaits_hours) setSettled(true);
  if (!staff || !has_settled) return <LoadingCards />;
  return (
    <>
      <CenterName name={name.data} />
      <DetailsSection id={id} />
      <HoursSection id={id} />
      <StaffCards id={id} staff={staff} onInvited={onInvited} />
      <LinkRow
        href={centerPosterPath(id)}
        icon="image"
        title={t('poster.title')}
        text={t('poster.text')}
        className="bg-surface"
      />
      <AppealsSection id={id} referee_count={staff.referees.length} onInvited={onInvited} />
      <ReviewsSection id={id} />
      <WeeksSection id={id} />
    </>
  );
}
