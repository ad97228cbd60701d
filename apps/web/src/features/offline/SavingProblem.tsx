import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/Problem.tsx';

/** Why a city is not on this device. */
export function SavingProblem({ reason }: { reason: 'no_room' | 'unreachable' }) {
  const { t } = useTranslation('offline');
  return (
    <div className="mt-2">
      <Problem>{t(`problem.${reason}`)}</Problem>
    </div>
  );
}
