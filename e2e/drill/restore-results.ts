import type { Operator } from '../../apps/api/test/app/operator.ts';
import { readServerRows, type ServerRows } from '../offline/server-rows.ts';
import { isGone, type Kind, type Member } from './people.ts';
import { countAtServer, countFates, type Fates, type PhoneState } from './verdict.ts';

/** Result of the restore drill for the phones of one kind. */
export interface KindResult {
  kind: Kind;
  /** Ops and messages that the server had acknowledged when it was destroyed. */
  acknowledged: number;
  /** Of these, how many are newer than the backup. */
  missing_in_backup: number;
  /** Of the acknowledged ones. */
  fates: Fates;
  /** Of the rest, which the athletes saved while there was no server. */
  unsent_fates: Fates;
  /** Refusals that the phones show, by code. */
  refusals: string[];
  /** Phones with work that is not sent or not opened, or whose user cannot sign in again although the account is there. */
  stuck: number;
}

interface DrilledPhones {
  members: readonly Member[];
  /** Phones on which the sign-in failed. */
  sign_in_failed: ReadonlySet<Member>;
  /** Phones with work that was not sent in time. */
  unsent: ReadonlySet<Member>;
  /** As the backup brought them back. */
  restored: ServerRows;
}

/** Reads the phones and the server after the drill. */
export async function readResults(drilled: DrilledPhones, operator: Operator): Promise<KindResult[]> {
  const rows = await readServerRows(
    operator,
    drilled.members.map(({ phone }) => phone.userId()),
  );
  const by_kind = Map.groupBy(drilled.members, ({ kind }) => kind);
  return Promise.all([...by_kind].map(([kind, group]) => readResultOfKind(kind, group, drilled, rows)));
}

async function readResultOfKind(
  kind: Kind,
  group: readonly Member[],
  { sign_in_failed, unsent, restored }: DrilledPhones,
  rows: ServerRows,
): Promise<KindResult> {
  const states = await Promise.all(group.map(readPhoneState));
  const only = (was_acknowledged: boolean): PhoneState[] =>
    states.map((state) => ({
      ...state,
      actions: state.actions.filter((action) => action.was_acknowledged === was_acknowledged),
    }));
  const with_acknowledged = only(true);
  const isMissing = (user_id: string) => (action: PhoneState['actions'][number]) =>
    countAtServer(restored, user_id, action) === 0;
  const isStuck = (member: Member, at: number) =>
    sign_in_failed.has(member) || unsent.has(member) || (states[at]?.leftovers.sealed ?? 0) > 0;
  return {
    kind,
    acknowledged: with_acknowledged.flatMap(({ actions }) => actions).length,
    missing_in_backup: with_acknowledged.flatMap(({ user_id, actions }) => actions.filter(isMissing(user_id))).length,
    fates: countFates(rows, with_acknowledged),
    unsent_fates: countFates(rows, only(false)),
    refusals: states.flatMap(({ leftovers }) => leftovers.refused.map(({ code }) => code)),
    stuck: isGone(kind) ? 0 : group.filter(isStuck).length,
  };
}

async function readPhoneState({ phone }: Member): Promise<PhoneState> {
  return { user_id: phone.userId(), actions: [...phone.actions.values()], leftovers: await phone.leftovers() };
}
