import type { Report } from '@sendlap/contract/server-management/reports.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { formatDateOf, formatDateTimeOf } from '#web/shared/time/format-date.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { useRetainedFocus } from '#web/shared/ui/use-retained-focus.ts';
import { ConfirmedAction } from './ConfirmedAction.tsx';
import { LoadingOrError } from './LoadingOrError.tsx';
import { MoreButton } from './MoreButton.tsx';
import { PersonLink } from './PersonLink.tsx';
import { reportsQuery, useHandleReport } from './queries.ts';
import { ServerManagementScreen } from './ServerManagementScreen.tsx';
import { isDeleted, useAccountName } from './use-account-name.ts';

const STATUSES = ['open', 'handled'] as const;

/** What users reported about others, to dismiss or to act on. */
export function ReportsPage() {
  const { t } = useTranslation('server-management');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('open');
  return (
    <ServerManagementScreen title={t('reports.title')} back={PATHS.serverManagement}>
      <SegmentedControl
        label={t('reports.title')}
        value={status}
        options={STATUSES.map((value) => ({ value, label: t(`reports.status.${value}`) }))}
        onChange={setStatus}
      />
      <Reports status={status} />
    </ServerManagementScreen>
  );
}

function Reports({ status }: { status: (typeof STATUSES)[number] }) {
  const { t } = useTranslation('server-management');
  const list = useRetainedFocus<HTMLDivElement>();
  const reports = useInfiniteQuery(reportsQuery(status));
  const found = reports.data?.pages.flatMap(({ items }) => items);
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {!found && <LoadingOrError error={reports.error} onRetry={() => void reports.refetch()} />}
      {found?.length === 0 && (
        <EmptyState icon="flag" title={t(`reports.none.${status}`)} text={t('reports.none.text')} />
      )}
      {found?.map((report) => (
        <ReportCard key={report.id} report={report} />
      ))}
      <MoreButton query={reports} />
    </div>
  );
}

function ReportCard({ report }: { report: Report }) {
  const { t } = useTranslation('server-management');
  const accountName = useAccountName();
  const locale = useLocale();
  const { reporter, reported, reason, text, messages, handled, created_at } = report;
  return (
    <Card as="article" className="@container flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Tag tone="danger">{t(`reports.reason.${reason}`)}</Tag>
        <span className="text-sm text-ink-faint">{formatDateTimeOf(created_at, locale)}</span>
      </div>
      <dl className="-my-1 grid items-baseline @min-3xs:grid-cols-[auto_1fr] gap-x-3">
        <dt className="text-ink-soft">{t('reports.about')}</dt>
        <dd className="flex min-h-12 flex-wrap items-center gap-x-2">
          <PersonLink person={reported} />
          {reported.state !== 'active' && !isDeleted(reported) && (
            <Tag tone="neutral">{t(`person.state.${reported.state}`)}</Tag>
          )}
        </dd>
        <dt className="text-ink-soft">{t('reports.by')}</dt>
        <dd className="flex min-h-12 items-center">
          <PersonLink person={reporter} />
        </dd>
      </dl>
      {reported.reporters > 1 && (
        <p className="text-sm text-ink-soft">{t('reports.reporters', { count: reported.reporters })}</p>
      )}
      {text !== null && (
        <blockquote className="rounded-md bg-sunken px-3 py-2 whitespace-pre-line wrap-anywhere">{text}</blockquote>
      )}
      {messages.length > 0 && (
        <ul aria-label={t('reports.messages')} className="flex flex-col gap-1.5">
          {messages.map((message) => (
            <li key={message.id} className="rounded-md bg-sunken px-3 py-2">
              <span className="block text-sm text-ink-soft">
                <bdi>{accountName(message.is_of_reported ? reported : reporter)}</bdi> ·{' '}
                {formatDateTimeOf(message.created_at, locale)}
              </span>
              <span className="whitespace-pre-line wrap-anywhere">{message.text}</span>
            </li>
          ))}
        </ul>
      )}
      {handled ? <Outcome handled={handled} /> : <Acts report={report} />}
    </Card>
  );
}

function Outcome({ handled: { at, by, outcome, reason } }: { handled: NonNullable<Report['handled']> }) {
  const { t } = useTranslation('server-management');
  const accountName = useAccountName();
  const date = formatDateOf(at, useLocale());
  return (
    <p className="mt-1 wrap-anywhere">
      <span className="font-semibold">{t(`reports.outcome.${outcome}`, { name: accountName(by), date })}</span>
      {reason !== null && <span className="block text-ink-soft">{reason}</span>}
    </p>
  );
}

function Acts({ report: { id, reported } }: { report: Report }) {
  const { t } = useTranslation('server-management');
  const dismiss = useHandleReport(id, 'dismissed');
  const suspend = useHandleReport(id, 'suspended');
  const { name } = reported;
  return (
    <div className="mt-1 flex flex-col gap-2">
      {reported.is_operator && <p className="text-sm text-ink-soft">{t('lock.operator')}</p>}
      {!reported.is_operator && !isDeleted(reported) && (
        <ConfirmedAction
          label={t('lock.suspend')}
          question={t('lock.question', { name })}
          has_reason
          mutation={suspend}
          onConfirm={(reason) => suspend.mutate(reason)}
        />
      )}
      <ConfirmedAction
        kind="secondary"
        label={t('reports.dismiss')}
        question={t('reports.dismissQuestion')}
        has_reason
        mutation={dismiss}
        onConfirm={(reason) => dismiss.mutate(reason)}
      />
    </div>
  );
}
