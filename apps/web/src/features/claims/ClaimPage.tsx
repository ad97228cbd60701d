import type { CenterClaim } from '@sendlap/contract/center-management/claims.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { OnlineContent } from '#web/shared/ui/feedback/OnlineContent.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { ClaimedCard } from './ClaimedCard.tsx';
import { LineCard } from './LineCard.tsx';
import { MailCard } from './MailCard.tsx';
import { claimQuery } from './queries.ts';
import { RequestCard } from './RequestCard.tsx';

/** A member of a center's staff proves to run it, and becomes its manager. */
export function ClaimPage() {
  const { t } = useTranslation('claims');
  const { id = '' } = useParams<{ id: string }>();
  return (
    <Screen title={t('title')} onBack={useGoBack(sportCenterPath(id))}>
      <Content key={id} id={id} />
    </Screen>
  );
}

function Content({ id }: { id: string }) {
  const { t } = useTranslation('claims');
  const query = useQuery(claimQuery(id));
  const { data: claim } = query;
  return (
    <OnlineContent title={t('failed')} query={query} offline={{ title: t('offline.title'), text: t('offline.text') }}>
      {claim?.is_manager ? (
        <ClaimedCard id={id} name={claim.center_name} />
      ) : claim ? (
        <Ways id={id} claim={claim} />
      ) : null}
    </OnlineContent>
  );
}

function Ways({ id, claim }: { id: string; claim: CenterClaim }) {
  const { t } = useTranslation('claims');
  const { center_name: center, has_manager, mail, line, request } = claim;
  const intro = has_manager
    ? t('hasManager', { center })
    : mail || line
      ? t('intro', { center })
      : t('introOperator', { center });
  return (
    <>
      <p className="px-1 text-body">{intro}</p>
      {mail && <MailCard id={id} mail={mail} />}
      {line && <LineCard id={id} line={line} />}
      <RequestCard id={id} request={request} />
    </>
  );
}
