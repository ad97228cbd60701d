import type { RequestedClaim } from '@sendlap/contract/center-management/claims.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { PATHS, sportCenterPath } from '#web/shared/paths.ts';
import { formatLongDateOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { OnlineContent } from '#web/shared/ui/feedback/OnlineContent.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { ClaimDecision } from './ClaimDecision.tsx';
import { requestedClaimsQuery } from './requested-claims.ts';

/** Operators decide about users who say that they run a center. */
export function ClaimsPage() {
  const { t } = useTranslation('claims');
  const goBack = useGoBack(PATHS.dashboard);
  return (
    <Screen title={t('list.title')} onBack={goBack}>
      <Claims />
    </Screen>
  );
}

function Claims() {
  const { t } = useTranslation('claims');
  const query = useQuery(requestedClaimsQuery);
  const { data } = query;
  return (
    <OnlineContent
      title={t('list.failed')}
      query={query}
      offline={{ title: t('offline.title'), text: t('offline.text') }}
    >
      {data && data.items.length > 0 ? (
        <ul className="flex flex-col gap-4">
          {data.items.map((claim) => (
            <ClaimRow key={claim.id} claim={claim} />
          ))}
        </ul>
      ) : data ? (
        <EmptyState icon="shield" title={t('list.empty.title')} text={t('list.empty.text')} />
      ) : null}
    </OnlineContent>
  );
}

function ClaimRow({ claim }: { claim: RequestedClaim }) {
  const { t } = useTranslation('claims');
  const locale = useLocale();
  const { sport_center_id, center_name, city, url, has_manager, public_id, name, message, requested_at } = claim;
  const date = formatLongDateOf(requested_at, locale);
  return (
    <Card as="li" className="flex flex-col gap-3">
      <div className="flex flex-col gap-0.5">
        <h2 className="text-lg font-bold wrap-anywhere">
          <Link href={sportCenterPath(sport_center_id)}>{center_name}</Link>
        </h2>
        {city && <p className="text-ink-soft">{city}</p>}
        {url ? (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 items-center text-accent-ink underline"
          >
            <span className="wrap-anywhere">{`${t('list.site')}: ${new URL(url).host}`}</span>
          </a>
        ) : (
          <p className="text-sm text-ink-faint">{t('list.noSite')}</p>
        )}
      </div>
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{name}</bdi> <span className="text-ink-soft">{public_id}</span>
        <span className="block text-sm text-ink-faint">{t('list.asked', { date })}</span>
      </p>
      <blockquote className="rounded-md bg-sunken px-4 py-3 wrap-anywhere">{message}</blockquote>
      {has_manager && <p className="text-sm text-ink-soft">{t('list.hasManager')}</p>}
      <ClaimDecision claim={claim} />
    </Card>
  );
}
