import type { Operator } from '../../apps/api/test/app/operator.ts';
import { readServerRows, type ServerRows } from '../offline/server-rows.ts';
import { isGone, type Kind, type Member } from './people.ts';
import { countAtServer, countFates, type Fates, type PhoneEnd } from './verdict.ts';

/** What became of the phones of one kind. */
export interface KindEnd {
  kind: Kind;
  /** Ops and messages that the server had acknowledged when it was destroyed. */
  acknowledged: number;
  /** Of these, how many the backup does not have. */
  newer: number;
  /** Of the acknowledged ones. */
  fates: Fates;
  /** Of the rest, which the athletes saved while there was no server. */
  unsent_fates: Fates;
  /** Refusals that the phones show, by code. */
  refusals: string[];
  /** Phones with work that is not sent or not opened, or whose user cannot sign in again although the account is there. */
  stuck: number;
}

interface Ending {
  members: readonly Member[];
  /** Phones on which the sign-in failed. */
  shut_out: ReadonlySet<Member>;
  /** Phones with work that was not sent in time. */
  unsettled: ReadonlySet<Member>;
  /** As the backup brought them back. */
  restored: ServerRows;
}

export async function readEnds(ending: Ending, operator: Operator): Promise<KindEnd[]> {
  const rows = await readServerRows(
    operator,
    ending.members.map(({ phone }) => phone.userId()),
  );
  const by_kind = Map.groupBy(ending.members, ({ kind }) => kind);
  return Promise.all([...by_kind].map(([kind, group]) => readEndOfKind(kind, group, ending, rows)));
}

async function readEndOfKind(
  kind: Kind,
  group: readonly Member[],
  { shut_out, unsettled, restored }: Ending,
  rows: ServerRows,
): Promise<KindEnd> {
  const ends = await Promise.all(group.map(readPhoneEnd));
  const only = (was_acknowledged: boolean): PhoneEnd[] =>
    ends.map((end) => ({ ...end, deeds: end.deeds.filter((deed) => deed.was_acknowledged === was_acknowledged) }));
  const acknowledged = only(true);
  const isMissing = (user_id: string) => (deed: PhoneEnd['deeds'][number]) =>
    countAtServer(restored, user_id, deed) === 0;
  const isStuck = (member: Member, at: number) =>
    shut_out.has(member) || unsettled.has(member) || (ends[at]?.leftovers.sealed ?? 0) > 0;
  return {
    kind,
    acknowledged: acknowledged.flatMap(({ deeds }) => deeds).length,
    newer: acknowledged.flatMap(({ user_id, deeds }) => deeds.filter(isMissing(user_id))).length,
    fates: countFates(rows, acknowledged),
    unsent_fates: countFates(rows, only(false)),
    refusals: ends.flatMap(({ leftovers }) => leftovers.refused.map(({ code }) => code)),
    stuck: isGone(kind) ? 0 : group.filter(isStuck).length,
  };
}

async function readPhoneEnd({ phone }: Member): Promise<PhoneEnd> {
  return { user_id: phone.userId(), deeds: [...phone.deeds.values()], leftovers: await phone.leftovers() };
}
