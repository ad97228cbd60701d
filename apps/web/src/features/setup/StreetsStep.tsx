import type { StreetLoad } from '@sendlap/contract/map/street-loads.ts';
import type { ServerProfile } from '@sendlap/contract/server-profile.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { townName } from '#web/shared/data/town-names.ts';
import { formatMegabytes } from '#web/shared/i18n/format-bytes.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Spinner } from '#web/shared/ui/controls/Spinner.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { LoadFailure } from './LoadFailure.tsx';
import { StepCard } from './StepCard.tsx';
import { isUnderWay, streetLoadsQuery, useCancelStreets, useNewStreets, useRequestStreets } from './street-queries.ts';

/** Loads the town's streets, and shows progress and result. */
export function StreetsStep({ profile: { town, has_streets } }: { profile: ServerProfile }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const language = useLanguage();
  const { data, error } = useQuery(streetLoadsQuery);
  const request = useRequestStreets();
  const [load] = data?.items ?? [];
  useNewStreets(load);
  const is_under_way = load !== undefined && isUnderWay(load);
  const done = data?.items.find(({ status }) => status === 'done');
  const problem = request.error ?? (data ? null : error);
  // The server knows the English name.
  const nameOf = ({ town_id, name }: StreetLoad) => (town_id === town?.id ? townName(town, language) : name);
  const has_town_streets = has_streets && done?.town_id === town?.id;
  return (
    <StepCard number={4} title={t('streets.title')} is_done={has_streets && !is_under_way}>
      {is_under_way ? (
        <OpenLoad load={load} name={nameOf(load)} />
      ) : (
        <StreetsState
          {...{ town, has_streets, done, is_configured: data?.is_configured ?? false }}
          name={done && nameOf(done)}
        />
      )}
      {load && <Ended load={load} />}
      {problem && <Problem>{errorText(problem)}</Problem>}
      {has_streets && !is_under_way && (
        <Link href={PATHS.sportCenters} className={buttonClasses('secondary', 'sm', true)}>
          {t('streets.see')}
        </Link>
      )}
      {data && !data.is_configured && town && !is_under_way && (
        <NetworkButton
          kind={has_town_streets ? 'quiet' : 'secondary'}
          size="sm"
          icon="download"
          wide
          busy={request.isPending}
          onClick={() => request.mutate(town.id)}
        >
          {has_town_streets ? t('streets.again') : t('streets.load', { name: townName(town, language) })}
        </NetworkButton>
      )}
    </StepCard>
  );
}

interface StreetsStateProps extends Pick<ServerProfile, 'town' | 'has_streets'> {
  /** The latest load that ended well; the operator CLI may have loaded another town since. */
  done: StreetLoad | undefined;
  name: string | undefined;
  is_configured: boolean;
}

/** Which streets the map has now. */
function StreetsState({ town, has_streets, done, name, is_configured }: StreetsStateProps) {
  const { t } = useTranslation('setup');
  const { distance } = useMeasures();
  if (is_configured) return <p className="text-ink-soft">{t('streets.configured')}</p>;
  if (!has_streets) return <p className="text-ink-soft">{town ? t('streets.off') : t('streets.needsTown')}</p>;
  if (!done?.radius_km || name === undefined) return <p className="text-ink-soft">{t('streets.on')}</p>;
  const is_smaller = town?.id === done.town_id && done.radius_km < Math.floor((town as Town).radius_km);
  return (
    <p role="status" className="text-ink-soft">
      {t('streets.onTown', { name, radius: distance(done.radius_km) })}
      {is_smaller && ` ${t('streets.tooMany')}`}
    </p>
  );
}

/** Why the latest load has brought nothing. */
function Ended({ load: { status, failure } }: { load: StreetLoad }) {
  const { t } = useTranslation('setup');
  if (status === 'cancelled') return <p role="status">{t('streets.cancelled')}</p>;
  if (status !== 'failed') return null;
  return (
    <>
      <Problem>{t('streets.failed')}</Problem>
      <LoadFailure failure={failure} />
    </>
  );
}

function OpenLoad({ load: { id, status, fetched, total }, name }: { load: StreetLoad; name: string }) {
  const { t } = useTranslation('setup');
  const locale = useLocale();
  const errorText = useErrorText();
  const cancel = useCancelStreets();
  return (
    <>
      <p role="status" className="flex items-center gap-3">
        <Spinner />
        {total > 0
          ? t('streets.fetching', { name })
          : status === 'waiting'
            ? t('streets.waiting')
            : t('streets.looking', { name })}
      </p>
      {total > 0 && (
        <div className="flex flex-col gap-1">
          <progress
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
            aria-label={t('streets.fetching', { name })}
            value={fetched}
            max={total}
          />
          <p className="figures text-sm text-ink-soft">
            {t('streets.progress', { done: formatMegabytes(fetched, locale), total: formatMegabytes(total, locale) })}
          </p>
        </div>
      )}
      {cancel.error && <Problem>{errorText(cancel.error)}</Problem>}
      <Button kind="quiet" size="sm" wide busy={cancel.isPending} onClick={() => cancel.mutate(id)}>
        {t('streets.cancel')}
      </Button>
    </>
  );
}
