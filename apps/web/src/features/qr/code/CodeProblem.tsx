import { Link } from 'wouter';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button, buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';

/** Why no code can be drawn on this device now, and what the user can do. */
export function CodeProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('qr');
  // A sixth device replaces the one unused for longest, but not while an activity runs or can still be confirmed.
  if (error instanceof ApiError && error.backend_error === 'device_limit_reached')
    return <Notice icon="device" name="devices" href={PATHS.devices} />;
  if (globalThis.crypto?.subtle === undefined) return <Notice icon="warning" name="insecure" onRetry={onRetry} />;
  if (isUnreachable(error)) return <Notice icon="offline" name="noKey" onRetry={onRetry} />;
  return <ErrorState title={t('generate.failed')} error={error} onRetry={onRetry} />;
}

type NoticeProps = { icon: IconName } & (
  | { name: 'none' | 'running' | 'tooLate' | 'devices'; href: string }
  | { name: 'insecure' | 'noKey'; onRetry: () => void }
);

/** Shown instead of a code: the reason, with a link or a retry button. */
export function Notice(notice: NoticeProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const action =
    'href' in notice ? (
      <Link href={notice.href} className={buttonClasses('primary', 'md')}>
        {t(`generate.${notice.name}.action`)}
      </Link>
    ) : (
      <Button kind="secondary" icon="sync" onClick={notice.onRetry}>
        {t('shell:retry')}
      </Button>
    );
  return (
    <div className="flex flex-1 flex-col justify-center pb-16">
      <EmptyState
        icon={notice.icon}
        title={t(`generate.${notice.name}.title`)}
        text={t(`generate.${notice.name}.text`)}
        action={action}
      />
    </div>
  );
}
