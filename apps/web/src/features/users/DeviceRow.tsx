import type { UserSession } from '@sendlap/contract/users.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { formatDateOf } from '#web/shared/time/format-date.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Tag } from '#web/shared/ui/controls/Tag.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useEndSession } from './queries.ts';

/** Operating systems as the server names them. */
const HANDHELD = /Android|iPhone|iPad/;

/** A signed-in device: its name, its last use, and the button to sign it out. */
export function DeviceRow({ user_id, session }: { user_id: string; session: UserSession }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const online = useOnline();
  const locale = useLocale();
  // Timestamps come from the server, so they are compared with its clock.
  const now = useServerNow();
  const end = useEndSession(user_id);
  const name = session.device_name || t('devices.unknown');
  const since = formatDateOf(session.created_at, locale);
  // Uses the promise: by its end this row is unmounted, and the callbacks of `mutate` would not be called.
  const endDeviceSession = () =>
    end.mutateAsync(session.id).then(
      () => toast({ title: t('devices.ended'), description: name, tone: 'success' }),
      (error: unknown) => toast({ title: errorText(error), tone: 'error' }),
    );
  return (
    <li className="flex items-start gap-3.5 p-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-ink-soft">
        <Icon name={HANDHELD.test(name) ? 'device' : 'laptop'} size={22} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 grow basis-[10rem]">
          <h2 className="font-semibold wrap-anywhere">{name}</h2>
          <p className="text-sm text-ink-soft">
            {t('devices.lastUsed', { age: formatAge(Date.parse(session.last_used_at), now, locale) })}
          </p>
          <p className="text-sm text-ink-faint">{t('devices.since', { date: since })}</p>
        </div>
        {session.current ? (
          <Tag tone="accent" icon="check" wraps>
            {t('devices.here')}
          </Tag>
        ) : (
          <Button
            kind="danger"
            size="sm"
            busy={end.isPending}
            disabled={!online}
            aria-label={t('devices.endThat', { name })}
            onClick={() => void endDeviceSession()}
          >
            {t('devices.end')}
          </Button>
        )}
      </div>
    </li>
  );
}
