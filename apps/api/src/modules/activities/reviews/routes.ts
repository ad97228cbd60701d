import { keepReview, listReviews, withdrawDecisions } from '@sendlap/contract/server-management/reviews.ts';
import type { Route } from '#api/http/route.ts';
import type { ReviewService } from './service.ts';

export function mountReviews(route: Route, reviews: ReviewService): void {
  route(listReviews, async () => ({ items: await reviews.listReviews(), next_cursor: null }));
  route(keepReview, async ({ body }, { user_id }) => {
    await reviews.keep(body, user_id);
    return {};
  });
  route(withdrawDecisions, ({ body }, { user_id }) => reviews.withdraw(body, user_id));
}
