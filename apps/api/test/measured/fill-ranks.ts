import { Client } from 'pg';

interface Filling {
  periods: string[];
  athletes: number;
  seed: number;
}

/**
 * Fills the boards of these periods with all athletes, in the database at `url`: many with few points, few with many,
 * ties.
 */
export async function fillBoard(url: string, { periods, athletes, seed }: Filling): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select setseed($1)', [seed]);
    await client.query(
      `insert into users (id, public_id, email, name, display_name)
       select gen_random_uuid(), 'ranked-' || nth, '', 'Athlete ' || nth, 'Athlete ' || nth
       from generate_series(1, $1::int) nth`,
      [athletes],
    );
    await client.query(
      `insert into board_scores (user_id, period, sport, sport_center_id, points, reached_at, friends_points,
         friends_reached_at)
       select id, period, 'all', '00000000-0000-0000-0000-000000000000', points, reached_at, points, reached_at
       from (
         select id, period, 1 + floor(4000 * random() * random())::int as points,
           date_trunc('milliseconds', now() - random() * interval '5 days') as reached_at
         from users, unnest($1::text[]) period where public_id like 'ranked-%'
       ) drawn`,
      [periods],
    );
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
