import { MAX_PAIR_CONFIRMATIONS, MAX_SCANNER_CONFIRMATIONS } from '@sendlap/domain/proof/fair-proof.ts';

/** Kinds of honest clubs, each with its way to prove a visit. */
export const CLUB_KINDS = [
  'alone at a kiosk',
  'couples at a kiosk',
  'classes of ten at one kiosk',
  'families on one phone at a kiosk',
  'one referee in town',
  'one referee, all phones offline',
  'families on one phone with the referee',
  'two friends alone',
  'two friends alone, both offline',
  'a club with kiosk and referees',
] as const;
export type ClubKind = (typeof CLUB_KINDS)[number];

export interface Member {
  id: number;
  /** Family, couple, class or pair that comes and goes together. */
  group: number;
  installation: number;
}

export interface Club {
  id: number;
  kind: ClubKind;
  members: Member[];
  referees: number;
}

const GROUP_SIZES: Partial<Record<ClubKind, number>> = {
  'couples at a kiosk': 2,
  'classes of ten at one kiosk': 10,
  'families on one phone at a kiosk': 3,
  'families on one phone with the referee': 3,
  'two friends alone': 2,
  'two friends alone, both offline': 2,
};
const VISITS_A_WEEK = 3;

/** So many people can one referee serve, also on a day on which all of them come. */
const MEMBERS_OF_ONE_REFEREE = 30;

/** Makes a club of 2 to 200 people, small ones more often. Above 30 people it has a kiosk or more referees. */
export function makeClub(id: number, random: () => number): Club {
  const kind = CLUB_KINDS[id % CLUB_KINDS.length] as ClubKind;
  const wanted = Math.round(2 * 100 ** random());
  const size = sizeOf(kind, wanted);
  const group_size = GROUP_SIZES[kind] ?? 1;
  const members = Array.from({ length: size }, (_, nth) => {
    const group = Math.floor(nth / group_size);
    return { id: nth, group, installation: kind.startsWith('families') ? group : nth };
  });
  const a_day = (size * VISITS_A_WEEK) / 7;
  return { id, kind, members, referees: Math.ceil(a_day / (MAX_SCANNER_CONFIRMATIONS / 2)) };
}

function sizeOf(kind: ClubKind, wanted: number): number {
  if (kind.startsWith('two friends')) return 2;
  if (kind.startsWith('classes')) return Math.max(10, Math.round(wanted / 10) * 10);
  return kind.includes('referee') && !kind.startsWith('a club') ? Math.min(wanted, MEMBERS_OF_ONE_REFEREE) : wanted;
}

/** Days of the week on which a group comes: three different ones. */
export function daysOfGroup(random: () => number): number[] {
  const days = [0, 1, 2, 3, 4, 5, 6];
  return Array.from({ length: VISITS_A_WEEK }, () => days.splice(Math.floor(random() * days.length), 1)[0] ?? 0);
}

/** A visit is one activity, rarely two; a pair may confirm three a day. */
export function activitiesOfVisit(random: () => number): number {
  return Math.min(random() < 0.1 ? 2 : 1, MAX_PAIR_CONFIRMATIONS);
}
