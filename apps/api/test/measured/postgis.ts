import Fastify from 'fastify';
import pg from 'pg';
import { answerCpuTime } from './serve.ts';

/**
 * The peer: the nearest centers by PostGIS behind a bare Fastify, on the database MEASURED_DATABASE_URL. It has less to
 * do than the app: it checks nothing, the facilities are in the row, and it does not count all matches.
 */
const pool = new pg.Pool({ connectionString: process.env.MEASURED_DATABASE_URL, max: 8 });
// The bench may end PostgreSQL first.
pool.on('error', () => {});
const NEAREST = `
  select * from (
    select id, name, address, city, country, latitude, longitude, phone, url, is_private, time_zone, attribution,
      licence, other_names, place_names, closed_at, created_at, updated_at, sport_facilities,
      place <-> $1::geography as distance_m
    from centers order by place <-> $1::geography limit $2
  ) as nearest where distance_m <= $3`;

interface Query {
  latitude: string;
  longitude: string;
  radius_km: string;
  limit: string;
}

const app = Fastify();
app.get<{ Querystring: Query }>('/v1/sport-centers/search', async ({ query }) => {
  const { latitude, longitude, radius_km, limit } = query;
  const values = [`SRID=4326;POINT(${longitude} ${latitude})`, Number(limit), Number(radius_km) * 1000];
  const { rows } = await pool.query({ name: 'nearest', text: NEAREST, values });
  const items = rows.map(({ distance_m, ...center }) => ({ ...center, distance_km: distance_m / 1000 }));
  return { success: true, data: { items, next_cursor: null } };
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.on('disconnect', () => process.exit(0));
answerCpuTime({ port: typeof address === 'object' && address ? address.port : 0, path: '/', headers: {} });
