import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import type { StartCenter } from './ops/activity-ops.ts';
import { useActivityOps } from './ops/use-activity-ops.ts';
import { useFailureToast } from './ops/use-failure-toast.ts';

interface Start {
  /** The sport whose start is being saved; null: none. */
  saving: Sport | null;
  /** Starts an activity and opens its screen; says so if it could not be saved. */
  start: (center: StartCenter, sport: Sport, intensity?: Intensity | null) => Promise<void>;
}

/** Starts activities, online or not. */
export function useStart(): Start {
  const { t } = useTranslation('activities');
  const { startActivity } = useActivityOps();
  const showFailure = useFailureToast();
  const [, navigate] = useLocation();
  const [saving, setSaving] = useState<Sport | null>(null);
  return {
    saving,
    async start(center, sport, intensity) {
      setSaving(sport);
      try {
        navigate(activityPath(await startActivity(center, sport, { intensity })));
      } catch (error) {
        setSaving(null);
        showFailure(error, t('start.notSaved'));
      }
    },
  };
}
