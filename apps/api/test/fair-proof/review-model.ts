/** As in `points/flags.ts`. */
const SAME_ATHLETE_TO_FLAG = 10;
const SHARED_VISITS_TO_FLAG = 3;

/** The reviews that an operator should see of honest people, by the rules of the server's `listFlags`. */
export class ReviewModel {
  /** Confirmations by scanner and athlete. */
  private readonly confirmed = new Map<string, Map<string, number>>();
  /** Visits by the account that counted and the one that used its codes. */
  private readonly shared = new Map<string, Map<string, number>>();
  private readonly kiosk_visits = new Map<string, number>();

  noteConfirmation(scanner: string, athlete: string): void {
    countPair(this.confirmed, scanner, athlete);
  }

  /** `first`: the account that counted with the same codes, if another did. */
  noteKioskVisit(athlete: string, first: string | null): void {
    this.kiosk_visits.set(athlete, (this.kiosk_visits.get(athlete) ?? 0) + 1);
    if (first !== null) countPair(this.shared, first, athlete);
  }

  /** Returns `kind scanner → athlete` of each review, sorted. */
  list(): string[] {
    const reviews: string[] = [];
    for (const [scanner, athletes] of this.confirmed)
      for (const [athlete, count] of athletes) {
        if (this.confirmed.get(athlete)?.has(scanner)) reviews.push(nameReview('reciprocal_pair', scanner, athlete));
        if (athletes.size === 1 && count >= SAME_ATHLETE_TO_FLAG)
          reviews.push(nameReview('one_athlete', scanner, athlete));
      }
    for (const [first, athletes] of this.shared)
      for (const [athlete, count] of athletes)
        if (count >= SHARED_VISITS_TO_FLAG && 2 * count >= (this.kiosk_visits.get(athlete) ?? 0))
          reviews.push(nameReview('shared_codes', first, athlete));
    return reviews.sort();
  }
}

export function nameReview(kind: string, scanner: string, athlete: string): string {
  return `${kind} ${scanner} → ${athlete}`;
}

function countPair(pairs: Map<string, Map<string, number>>, one: string, other: string): void {
  const counts = pairs.get(one) ?? new Map<string, number>();
  pairs.set(one, counts.set(other, (counts.get(other) ?? 0) + 1));
}
