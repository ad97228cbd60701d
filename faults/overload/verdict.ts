interface Kind {
  sent: number;
  refused: number;
}

/** What twice the capacity did to a server, and the quarter of it that followed. */
export interface OverloadedArm {
  loud: {
    ordinary: Kind;
    /** By their name. */
    essentials: Record<string, Kind>;
    delay_p99_ms: number;
    unanswered: number;
    wrong: Record<string, number>;
  };
  after: { delay_p99_ms: number; unanswered: number; wrong: Record<string, number> };
  health: { asked: number; answered: number };
  /** From before the load to its end, with the requests that were in work then. */
  growth_mb: number;
  /** How long it still refused or was slow. */
  normal_after_s: number;
}

export const MAX_RECOVERY_S = 10;
const MAX_GROWTH_MB = 30;
/** Standard deviations of a count. */
const CHANCE = 3;
/** A load that is sent later than this shares the cores with other programs. */
const MAX_DELAY_MS = 500;

/** A slow second without another one this close to it is the machine's, not the recovery's. */
const NEAR_S = 3;

/** Returns after how many seconds the server was as usual for good. */
export function secondsUntilNormal(is_abnormal: boolean[]): number {
  const isNear = (at: number) =>
    is_abnormal.slice(Math.max(0, at - NEAR_S), at).includes(true) ||
    is_abnormal.slice(at + 1, at + 1 + NEAR_S).includes(true);
  return is_abnormal.findLastIndex((bad, at) => bad && (at === 0 || isNear(at))) + 1;
}

/** Whether the calls of a kind were refused less often than the ordinary ones, by more than chance. */
function isRefusedLess({ sent, refused }: Kind, ordinary: Kind): boolean {
  const share = ordinary.refused / ordinary.sent;
  return refused < share * sent - CHANCE * Math.sqrt(share * (1 - share) * sent);
}

/** Returns why the run failed or shows nothing; null: it passed. The p99 is a goal, which a slow machine may miss. */
export function whyItFailed({ loud, after, health, growth_mb, normal_after_s }: OverloadedArm): string | null {
  const { ordinary, essentials } = loud;
  if (Math.max(loud.delay_p99_ms, after.delay_p99_ms) > MAX_DELAY_MS)
    return 'the machine was busy with other work: this shows nothing';
  const owes = [loud, after].some(({ unanswered, wrong }) => unanswered > 0 || Object.keys(wrong).length > 0);
  if (owes || health.answered < health.asked) return 'an overloaded server owed an answer';
  if (ordinary.refused === 0) return 'the server was not overloaded: this shows nothing';
  const [too_often] = Object.entries(essentials).find(([, kind]) => !isRefusedLess(kind, ordinary)) ?? [];
  if (too_often) return `calls of ${too_often} were not refused less often than ordinary ones, or were too few to tell`;
  if (growth_mb > MAX_GROWTH_MB) return 'the memory grew under load';
  return normal_after_s > MAX_RECOVERY_S ? `the server was not as usual ${MAX_RECOVERY_S} s after the load` : null;
}
