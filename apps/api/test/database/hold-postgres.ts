/**
 * Replaces the app in tests: takes the data folder from argv, prints the outcome, and keeps the folder in use until
 * SIGTERM or a kill.
 */
import {
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#api/database/embedded-postgres/embedded-postgres.ts';

const [data_dir = '', role = 'app'] = process.argv.slice(2);
const logger = { info() {}, warn() {}, error() {} };

try {
  const server = await startEmbeddedPostgres({ data_dir, role: role as EmbeddedPostgresOptions['role'], logger });
  const keep_alive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(keep_alive);
    void server.stop();
  });
  console.log(JSON.stringify({ url: server.url, adopted: server.adopted }));
} catch (error) {
  console.log(JSON.stringify({ name: (error as Error).name, message: (error as Error).message }));
  process.exitCode = 1;
}
