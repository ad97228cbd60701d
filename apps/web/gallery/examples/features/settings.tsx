import { QuietHours } from '#web/features/notifications/QuietHours.tsx';
import { UnitSettings } from '#web/features/users/UnitSettings.tsx';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import type { Examples } from '../example.ts';
import { ToChange } from './interaction.tsx';

const NIGHT = { from: '22:00', until: '07:00' };
const HOURS = {
  off: null,
  on: { ...NIGHT, time_zone: deviceTimeZone() },
  'chosen far away': { ...NIGHT, time_zone: 'America/Argentina/Buenos_Aires' },
};

export const NOTIFICATIONS: Examples = {
  QuietHours: [false, true].flatMap((disabled) =>
    Object.entries(HOURS).map(([state, hours]) => ({
      state: disabled ? `${state}, disabled` : state,
      render: () => (
        <ToChange first={hours}>
          {(value, onChange) => <QuietHours hours={value} disabled={disabled} onChange={onChange} />}
        </ToChange>
      ),
    })),
  ),
};

export const USERS: Examples = {
  UnitSettings: [{ state: 'default', render: () => <UnitSettings /> }],
};
