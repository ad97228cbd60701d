import {
  keepReview,
  listReviews,
  type Review,
  withdrawDecisions,
} from '@sendlap/contract/server-management/reviews.ts';
import type { ParsedRequest, Reply } from '@sendlap/contract/wire/endpoint.ts';
import type { Database } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { withdrawByOperator } from '../operator-withdrawals.ts';
import { type Flag, listFlags, listFlagsAt } from '../points/flags.ts';
import { findDecisions, findPeople, keyOf, listKeptReviews, saveKeptReview } from './store.ts';

/** A kept review does not return earlier, even if the two go on. */
const REST_MS = 30 * 86_400_000;

export type ReviewService = ReturnType<typeof createReviewService>;

/** What operators look at: suspicious decisions, to take back or to keep. */
export function createReviewService({ database, now }: { database: Database; now: () => Date }) {
  /** Without those that an operator has kept. */
  async function selectOpen<OneFlag extends Flag>(listed: Promise<OneFlag[]>): Promise<OneFlag[]> {
    const [flags, kept] = await Promise.all([listed, listKeptReviews(database)]);
    return flags.filter((flag) => {
      const kept_at = kept.get(keyOf(flag));
      if (kept_at === undefined) return true;
      return new Date(flag.latest_at) > kept_at && now().getTime() - kept_at.getTime() > REST_MS;
    });
  }

  const listOpenFlags = () => selectOpen(listFlags(database, now()));

  return {
    listOpenFlagsAt: (sport_center_id: string) => selectOpen(listFlagsAt(database, sport_center_id, now())),
    countOpen: async () => (await listOpenFlags()).length,
    async listReviews(): Promise<Review[]> {
      const flags = await listOpenFlags();
      const ids = flags.flatMap(({ scanner, athlete }) => (athlete === undefined ? [scanner] : [scanner, athlete]));
      const [people, decisions] = await Promise.all([
        findPeople(database, [...new Set(ids)]),
        findDecisions(
          database,
          flags.flatMap((flag) => flag.decisions),
        ),
      ]);
      const refer = (public_id: string) => ({ public_id, name: people.get(public_id)?.name ?? public_id });
      return flags.map((flag) => ({
        kind: flag.kind,
        scanner: refer(flag.scanner),
        athlete: flag.athlete === undefined ? null : refer(flag.athlete),
        count: flag.count,
        decisions: flag.decisions.flatMap((id) => decisions.get(id) ?? []),
      }));
    },
    /** Throws `not_found`. */
    async keep({ kind, scanner, athlete, reason }: ParsedRequest<typeof keepReview>['body'], actor_id: string) {
      const flags = await listOpenFlags();
      const wanted = keyOf({ kind, scanner, ...(athlete !== null && { athlete }) });
      if (!flags.some((flag) => keyOf(flag) === wanted)) throw reviewNotFound();
      await database.transaction().execute(async (trx) => {
        const people = await findPeople(trx, [scanner, athlete ?? scanner]);
        const [scanner_id, athlete_id] = [people.get(scanner)?.id, people.get(athlete ?? scanner)?.id];
        if (!scanner_id || !athlete_id) throw reviewNotFound();
        await saveKeptReview(trx, { kind, scanner_id, athlete_id, kept_at: now() });
        await recordAudit(trx, { act: 'review_kept', actor_id, subject_id: scanner_id, reason });
      });
    },
    /** Each decision in its own transaction. */
    async withdraw(
      { decision_ids, reason }: ParsedRequest<typeof withdrawDecisions>['body'],
      actor_id: string,
    ): Promise<Reply<typeof withdrawDecisions>> {
      const withdrawn: string[] = [];
      const refused: Reply<typeof withdrawDecisions>['refused'] = [];
      for (const id of new Set(decision_ids)) {
        try {
          await withdrawByOperator(database, id, { actor_id, reason });
          withdrawn.push(id);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          refused.push({ id, code: error.code, message: error.message });
        }
      }
      return { withdrawn, refused };
    },
  };
}

export function mountReviews(route: Route, reviews: ReviewService): void {
  route(listReviews, async () => ({ items: await reviews.listReviews(), next_cursor: null }));
  route(keepReview, async ({ body }, { user_id }) => {
    await reviews.keep(body, user_id);
    return {};
  });
  route(withdrawDecisions, ({ body }, { user_id }) => reviews.withdraw(body, user_id));
}

function reviewNotFound(): AppError {
  return new AppError('not_found', 'There is no such review');
}
