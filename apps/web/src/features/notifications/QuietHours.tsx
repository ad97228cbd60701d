import type { NotificationChoices } from '@sendlap/contract/users.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { Switch } from '#web/shared/ui/controls/Switch.tsx';

type Hours = NotificationChoices['quiet_hours'];

type Edge = 'from' | 'until';
type Times = Record<Edge, string>;

const EDGES = ['from', 'until'] as const;
const SAVE_AFTER_MS = 1_000;
/** Default hours: most people sleep then. */
const NIGHT = { from: '22:00', until: '07:00' };

interface FieldsProps<Value> {
  hours: Value;
  disabled: boolean;
  onChange: (hours: Value) => void;
}

/** Hours without notifications, in the time zone in which they were chosen. */
export function QuietHours({ hours, disabled, onChange }: FieldsProps<Hours>) {
  const { t } = useTranslation('notifications');
  const save = (times: Times) => onChange({ ...times, time_zone: deviceTimeZone() });
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('quiet.label')}
        description={t('quiet.text')}
        checked={hours !== null}
        disabled={disabled}
        onChange={(on) => (on ? save(NIGHT) : onChange(null))}
      />
      {hours && <TimeFields hours={hours} disabled={disabled} onChange={save} />}
      {hours && hours.time_zone !== deviceTimeZone() && (
        <p className="text-sm text-ink-faint">{t('quiet.zone', { zone: hours.time_zone.replaceAll('_', ' ') })}</p>
      )}
    </div>
  );
}

/**
 * Saves both times when a field loses the focus, on Enter, and a moment after the last key: half-typed times must not
 * be saved. Not while both are equal: the range would be empty.
 */
function TimeFields({ hours, disabled, onChange }: FieldsProps<Times>) {
  const { t } = useTranslation('notifications');
  const [{ from, until, base, edited }, setTyped] = useState(() => toEditState(hours));
  // The hours changed elsewhere: on another device, or by rolling back a failed save.
  if (base.from !== hours.from || base.until !== hours.until) setTyped(toEditState(hours));
  const times = { from, until };
  const is_complete = from !== '' && until !== '';
  const is_same = is_complete && from === until;
  const save = () => {
    const is_new = from !== hours.from || until !== hours.until;
    if (is_complete && is_new && !is_same && !disabled) onChange(times);
  };
  const saveAfterPause = useEffectEvent(save);
  useEffect(() => {
    if (from === '' || until === '') return;
    const timer = setTimeout(() => saveAfterPause(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [from, until]);
  const handleInput = (edge: Edge, time: string) => setTyped({ ...times, base, [edge]: time, edited: edge });
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-3 rounded-lg bg-sunken p-3">
      {EDGES.map((edge) => (
        <Field
          key={edge}
          type="time"
          label={t(`quiet.${edge}`)}
          value={times[edge]}
          // A disabled field would lose the focus.
          readOnly={disabled}
          error={is_same && edge === edited ? t('quiet.same') : null}
          onChange={({ target }) => handleInput(edge, target.value)}
          onKeyDown={({ key }) => key === 'Enter' && save()}
          onBlur={() => (times[edge] === '' ? handleInput(edge, hours[edge]) : save())}
        />
      ))}
    </div>
  );
}

/** The typed values; `base`: the saved hours they started from. */
function toEditState({ from, until }: Times): Times & { base: Times; edited: Edge | null } {
  return { from, until, base: { from, until }, edited: null };
}
