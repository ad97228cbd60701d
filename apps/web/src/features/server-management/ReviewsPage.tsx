import type { Review } from '@sendlap/contract/server-management/reviews.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { formatDateTimeOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { ConfirmedAction } from './ConfirmedAction.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { PersonLink } from './PersonLink.tsx';
import { reviewsQuery, useKeepReview, useWithdrawDecisions } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';
import { useAccountName } from './use-account-name.ts';

/** Suspicious decisions of referees and friends: to take back, or to leave as they are. */
export function ReviewsPage() {
  const { t } = useTranslation('server-management');
  const list = useRetainedFocus<HTMLDivElement>();
  const { data, error, refetch } = useQuery(reviewsQuery);
  return (
    <ServerManagementScreen title={t('reviews.title')} back={PATHS.serverManagement}>
      <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {!data && <LoadingOrError error={error} onRetry={() => void refetch()} />}
        {data?.items.length === 0 && (
          <EmptyState icon="eye" title={t('reviews.none.title')} text={t('reviews.none.text')} />
        )}
        {data && data.items.length > 0 && <p className="px-1 text-ink-soft">{t('reviews.text')}</p>}
        {data?.items.map((review) => (
          <ReviewCard key={`${review.kind} ${review.scanner.public_id} ${review.athlete?.public_id}`} review={review} />
        ))}
      </div>
    </ServerManagementScreen>
  );
}

function ReviewCard({ review }: { review: Review }) {
  const { t } = useTranslation('server-management');
  const accountName = useAccountName();
  const { kind, scanner, athlete, count, decisions } = review;
  const names = { scanner: accountName(scanner), athlete: athlete ? accountName(athlete) : '', count };
  const keep = useKeepReview(review);
  return (
    <Card as="article" className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-bold">{t(`reviews.kind.${kind}`)}</h2>
        <p className="wrap-anywhere">{t(`reviews.why.${kind}`, names)}</p>
        <div className="flex flex-wrap gap-x-4">
          <PersonLink person={scanner} />
          {athlete && <PersonLink person={athlete} />}
        </div>
      </div>
      {decisions.length > 0 && <Decisions decisions={decisions} />}
      <ConfirmedAction
        kind="secondary"
        label={t('reviews.keep')}
        question={t('reviews.keepQuestion')}
        has_reason
        mutation={keep}
        onConfirm={(reason) => keep.mutate(reason)}
      />
    </Card>
  );
}

/** The decisions, all chosen at first, and the act that takes the chosen ones back. */
function Decisions({ decisions }: Pick<Review, 'decisions'>) {
  const { t } = useTranslation('server-management');
  const [spared, setSpared] = useState<readonly string[]>([]);
  const withdraw = useWithdrawDecisions();
  const decision_ids = decisions.map(({ id }) => id).filter((id) => !spared.includes(id));
  const toggle = (id: string) => setSpared(spared.includes(id) ? spared.filter((one) => one !== id) : [...spared, id]);
  const run = (reason: string, onDone: () => void) =>
    withdraw.mutate(
      { decision_ids, reason },
      {
        onSuccess({ withdrawn, refused }) {
          onDone();
          if (withdrawn.length > 0)
            toast({ title: t('reviews.withdrawn', { count: withdrawn.length }), tone: 'success' });
          if (refused.length > 0) toast({ title: t('reviews.refused', { count: refused.length }), tone: 'error' });
        },
      },
    );
  return (
    <>
      <fieldset>
        <legend className="text-sm text-ink-soft">{t('reviews.decisions')}</legend>
        {decisions.map((decision) => (
          <DecisionCheckbox
            key={decision.id}
            decision={decision}
            checked={!spared.includes(decision.id)}
            onToggle={() => toggle(decision.id)}
          />
        ))}
      </fieldset>
      <ConfirmedAction
        label={t('reviews.withdraw', { count: decision_ids.length })}
        question={t('reviews.withdrawQuestion', { count: decision_ids.length })}
        has_reason
        disabled={decision_ids.length === 0}
        mutation={withdraw}
        onConfirm={run}
      />
    </>
  );
}

interface DecisionCheckboxProps {
  decision: Review['decisions'][number];
  checked: boolean;
  onToggle: () => void;
}

function DecisionCheckbox({ decision, checked, onToggle }: DecisionCheckboxProps) {
  const { t } = useTranslation(['server-management', 'shell']);
  const accountName = useAccountName();
  const locale = useLocale();
  const { athlete, sport_type, sport_center_name, points, scanned_at } = decision;
  return (
    <label className="flex min-h-12 cursor-pointer items-start gap-3 py-1.5">
      <input type="checkbox" checked={checked} onChange={onToggle} className="mt-1 size-5 shrink-0 accent-accent" />
      <span className="min-w-0 wrap-anywhere">
        <span className="block">
          {t(`server-management:reviews.decision.${decision.decision}`, { name: accountName(athlete) })}
          {' · '}
          {t(`shell:sport.${sport_type}`)}
          {points > 0 && ` · ${t('server-management:reviews.points', { count: points })}`}
        </span>
        <span className="block text-sm text-ink-faint">
          <bdi>{sport_center_name}</bdi> · {formatDateTimeOf(scanned_at, locale)}
        </span>
      </span>
    </label>
  );
}
