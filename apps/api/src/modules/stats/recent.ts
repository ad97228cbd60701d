import { type Intensity, ruleOf, type Sport, scoreActivity } from '@sendlap/domain/scoring.ts';
import { SKILL_ACTIVITIES, SKILL_DAYS, type SkillFacts, VOLUME_DAYS } from '@sendlap/domain/skills.ts';
import { type RawBuilder, sql } from 'kysely';

const DAY_MS = 86_400_000;

/** What the latest activities of an athlete come to, as JSON brings it. */
export interface RecentJson {
  /** Of the latest activity's center; null without any activity. */
  time_zone: string | null;
  latest:
    | {
        sport_type: Sport;
        started_at: string;
        ended_at: string;
        intensity: Intensity | null;
        intensity_confirmed: boolean;
        distance_m: number | null;
        distance_confirmed: boolean;
        rule_version: string;
      }[]
    | null;
  sums: Pick<SkillFacts, 'points_28_days' | 'pairs_90_days' | 'validated_90_days' | 'ended_90_days'>;
}

/** SQL of a `RecentJson`. */
export function selectRecent(user_id: string, now: Date): RawBuilder<unknown> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  // No activity is longer than a day; the start is what the index knows.
  return sql`
    json_build_object(
      'time_zone', (
        select c.time_zone from activities a join sport_centers c on c.id = a.sport_center_id
        where a.user_id = ${user_id} and a.status <> 'deleted' order by a.started_at desc, a.id desc limit 1),
      'latest', (
        select json_agg(l) from (
          select sport_type, started_at, ended_at, intensity, intensity_confirmed, distance_m,
            validation = 'referee' as distance_confirmed, rule_version from activities
          where user_id = ${user_id} and status = 'validated'
          order by started_at desc, id desc limit ${SKILL_ACTIVITIES}) l),
      'sums', (
        select json_build_object(
          'points_28_days',
          coalesce(sum(points) filter (where status = 'validated' and ended_at > ${daysAgo(VOLUME_DAYS)}), 0),
          'pairs_90_days', count(distinct (sport_type, sport_center_id)) filter (where status = 'validated'),
          'validated_90_days', count(*) filter (where status = 'validated'),
          'ended_90_days', count(*))
        from activities
        where user_id = ${user_id} and status in ('finished', 'validated', 'rejected')
          and ended_at > ${daysAgo(SKILL_DAYS)} and started_at > ${daysAgo(SKILL_DAYS + 1)}))`;
}

export function skillFactsOf({ latest, sums }: RecentJson, weeks_on_target: number): SkillFacts {
  const activities = (latest ?? []).map(({ started_at, ended_at, rule_version, ...facts }) => {
    const times = { started_at: Date.parse(started_at), ended_at: Date.parse(ended_at) };
    const score = scoreActivity({ ...facts, ...times, rule_version: ruleOf(rule_version) });
    return { minutes: score.minutes, active_met_thousandths: score.active_met_thousandths };
  });
  return { ...sums, latest: activities, weeks_on_target };
}
