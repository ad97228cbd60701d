import { type AreaLoad, isUnfinished } from '@sendlap/contract/area-loads.ts';
import type { ServerProfile } from '@sendlap/contract/server-profile.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useSearchAgain } from '#web/shared/data/loaded-centers.ts';
import { townName } from '#web/shared/data/town-names.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';
import { LoadFailure } from './LoadFailure.tsx';
import { areaLoadsQuery, useCancelLoad, useRequestLoad, useUpdateServerProfile } from './queries.ts';
import { StepCard } from './StepCard.tsx';

/** Loads the town's sport centers from OpenStreetMap, and shows progress and result. */
export function CentersStep({ profile: { town, area_loads } }: { profile: ServerProfile }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const language = useLanguage();
  const { data, error } = useQuery(areaLoadsQuery);
  const request = useRequestLoad();
  const requested_id = request.variables === town?.id ? request.data?.id : undefined;
  // Athletes may have loaded other areas since; a load of theirs that covers the town is as good.
  const load = data?.items.find(({ id, town_id }) => id === requested_id || (town && town_id === town.id));
  const is_unfinished = load !== undefined && isUnfinished(load);
  useSearchAgain(load?.status === 'done');
  const problem = request.error ?? (data ? null : error);
  return (
    <StepCard number={3} title={t('centers.title')} is_done={load?.status === 'done'}>
      <p className="text-ink-soft">{town ? t('centers.text') : t('centers.needsTown')}</p>
      {load && town && <LoadStatus load={load} name={townName(town, language)} />}
      {problem && <Problem>{errorText(problem)}</Problem>}
      {town && !is_unfinished && (
        <NetworkButton
          kind={load?.status === 'done' ? 'quiet' : 'secondary'}
          size="sm"
          icon="download"
          wide
          busy={request.isPending}
          onClick={() => request.mutate(town.id)}
        >
          {load?.status === 'done' ? t('centers.again') : t('centers.load', { name: townName(town, language) })}
        </NetworkButton>
      )}
      <LoadAccess area_loads={area_loads} />
    </StepCard>
  );
}

/** Whether athletes may load areas too. */
function LoadAccess({ area_loads }: Pick<ServerProfile, 'area_loads'>) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const online = useOnline();
  const update = useUpdateServerProfile();
  const shown = update.isPending ? update.variables.area_loads : area_loads;
  return (
    <>
      <Switch
        label={t('centers.athletes')}
        description={t('centers.athletesText')}
        checked={shown === 'everyone'}
        disabled={!online}
        busy={update.isPending}
        onChange={(checked) => update.mutate({ area_loads: checked ? 'everyone' : 'operators' })}
      />
      {update.error && <Problem>{errorText(update.error)}</Problem>}
    </>
  );
}

function LoadStatus({ load, name }: { load: AreaLoad; name: string }) {
  const { t } = useTranslation('setup');
  if (isUnfinished(load)) return <UnfinishedLoad load={load} />;
  if (load.status === 'cancelled') return <p role="status">{t('centers.cancelled')}</p>;
  if (load.report === null)
    return (
      <>
        <Problem>{t('centers.failed')}</Problem>
        <LoadFailure failure={load.failure} />
      </>
    );
  const { imported, updated, unchanged, merged, refused, closed, missing } = load.report;
  const counts = { imported, updated, unchanged: unchanged + merged };
  const facts = (['imported', 'updated', 'unchanged'] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => t(`centers.${key}`, { count: counts[key] }));
  return (
    <>
      <div role="status" className="rounded-md bg-sunken px-4 py-3">
        <p className="font-semibold">{name}</p>
        <p>{facts.length > 0 ? facts.join(' · ') : t('centers.none')}</p>
        {closed > 0 && <p>{t('centers.closed', { count: closed })}</p>}
        {missing > 0 && <p>{t('centers.missing', { count: missing })}</p>}
        {refused > 0 && <p className="mt-1 text-sm text-ink-soft">{t('centers.skipped', { count: refused })}</p>}
      </div>
      {facts.length > 0 ? (
        <>
          <p className="text-ink-soft">{t('centers.staff')}</p>
          <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'sm', true)}>
            {t('centers.see')}
          </Link>
        </>
      ) : (
        <p className="text-ink-soft">{t('centers.noneHint')}</p>
      )}
    </>
  );
}

function UnfinishedLoad({ load: { id, status, retry_at, fetched, total } }: { load: AreaLoad }) {
  const { t } = useTranslation('setup');
  const locale = useLocale();
  const errorText = useErrorText();
  const cancel = useCancelLoad();
  const time = retry_at && formatClock(Date.parse(retry_at), locale);
  return (
    <>
      <p role="status" className="flex items-center gap-3">
        <Spinner />
        <span>
          {time ? t('centers.busy', { time }) : t(`centers.${status as 'waiting' | 'fetching' | 'saving'}`)}
          {status === 'fetching' && total > 1 && (
            <span className="text-ink-soft"> {t('centers.part', { done: Math.min(fetched + 1, total), total })}</span>
          )}
        </span>
      </p>
      {cancel.error && <Problem>{errorText(cancel.error)}</Problem>}
      {status !== 'saving' && (
        <Button kind="quiet" size="sm" wide busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
          {t('centers.cancel')}
        </Button>
      )}
    </>
  );
}
