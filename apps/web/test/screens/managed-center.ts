import { type CenterAppeal, listCenterAppeals } from '@sendlap/contract/center-management/center-appeals.ts';
import {
  type CenterDetails,
  getCenterDetails,
  updateCenterDetails,
} from '@sendlap/contract/center-management/center-details.ts';
import {
  type CenterHours,
  getCenterHours,
  updateCenterHours,
} from '@sendlap/contract/center-management/center-hours.ts';
import { type CenterReview, listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import { type CenterStaff, getCenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import { type CenterWeek, getCenterWeeks } from '@sendlap/contract/center-management/center-weeks.ts';
import { listMyManagerRights } from '@sendlap/contract/center-management/managers.ts';
import { screen, within } from '@testing-library/dom';
import { type FakeServer, Refusal } from '../models/fake-server.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';

export const MANAGEMENT_PATH = `/sport-centers/${POOL.id}/manage`;
export const NO_STAFF: CenterStaff = { managers: [], referees: [], kiosks: [] };

/** The management data of a fake center; tests change it as other managers do. */
export class ManagedCenter {
  staff = NO_STAFF;
  details: CenterDetails = {
    version: 0,
    name: POOL.name,
    address: 'Plaza de la Cebada 1',
    phone: '+34 91 000 00 00',
    url: null,
    is_private: null,
    sports: ['swimming'],
    pool_lengths_m: [],
    source_facts: {},
    attribution: '© OpenStreetMap contributors',
  };

  appeals: CenterAppeal[] = [];
  reviews: CenterReview[] = [];
  weeks: CenterWeek[] = [];
  hours: CenterHours = { version: 0, weekly: Array(7).fill([]), closed_days: [], time_zone: 'Europe/Madrid' };

  /** Another manager changes details. */
  change(facts: Partial<CenterDetails>): void {
    this.details = { ...this.details, ...facts, version: this.details.version + 1 };
  }

  /** Another manager changes hours. */
  changeHours(hours: Partial<CenterHours>): void {
    this.hours = { ...this.hours, ...hours, version: this.hours.version + 1 };
  }

  answer(server: FakeServer): void {
    answerCenter(server);
    server.on(listMyManagerRights, () => ({
      items: [{ sport_center_id: POOL.id, sport_center_name: POOL.name }],
      next_cursor: null,
    }));
    server.on(getCenterStaff, () => this.staff);
    server.on(getCenterDetails, () => this.details);
    server.on(getCenterHours, () => this.hours);
    server.on(listCenterAppeals, () => ({ items: this.appeals }));
    server.on(listCenterReviews, () => ({ items: this.reviews }));
    server.on(getCenterWeeks, () => ({ weeks: this.weeks }));
    server.on(updateCenterHours, ({ body: { version, ...hours } }) => {
      if (version !== this.hours.version) throw new Refusal('center_changed');
      this.changeHours(hours);
      return this.hours;
    });
    server.on(updateCenterDetails, ({ body: { version, ...facts } }) => {
      if (version !== this.details.version) throw new Refusal('center_changed');
      this.change(facts as Partial<CenterDetails>);
      return this.details;
    });
  }
}

type OpenOptions = NonNullable<Parameters<typeof openApp>[0]> & { center?: ManagedCenter };

/** Opens the page of one of the center's managers. */
export async function openManagement({ center = new ManagedCenter(), prepare, ...options }: OpenOptions = {}) {
  const phone = await openApp({
    path: MANAGEMENT_PATH,
    now: '2026-11-26T10:00:00Z',
    ...options,
    prepare: (server) => {
      center.answer(server);
      prepare?.(server);
    },
  });
  return { ...phone, center };
}

/** The section with this heading. */
export async function findSection(heading: string) {
  const title = await screen.findByRole('heading', { level: 2, name: heading });
  return within(title.closest('section') as HTMLElement);
}
