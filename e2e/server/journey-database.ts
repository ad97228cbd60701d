/** The PostgreSQL of one run of the journeys: sends its address, and stops when the run ends or is killed. */

import { openDatabase } from '../../apps/api/src/database/database.ts';
import { loadStarterCenters } from '../../apps/api/src/modules/sport-centers/import/starter.ts';
import { startThrowAwayServer } from '../../apps/api/test/database/throw-away-server.ts';

const { url, stop } = await startThrowAwayServer(async (template_url) => {
  const database = openDatabase(template_url);
  await loadStarterCenters(database).finally(() => database.destroy());
});
// Ctrl-C in a terminal reaches every process, and this one must outlive the servers that use it.
process.on('SIGINT', () => {});
process.once('disconnect', () => stop().finally(() => process.exit()));
process.send?.({ url });
