import { Gauge, type Registry } from '@prometheus-io/client';
import type { Database } from '../database/database.ts';
import { readEventLag } from '../events/event-store.ts';
import { readDueBackupState } from '../modules/backups/daily-backup.ts';
import { readLogLag } from '../modules/leaderboards/ranks/read-log.ts';
import { board_log_reads, closed_streams, type MeasuredStream, opened_streams } from '../platform/measurements.ts';

interface StateOptions {
  database: Database;
  /** How many daily backups stay; 0: the server makes none. */
  backups_kept: number;
}

/**
 * Streams, lags and the backup, as they are at a scrape. `refresh` sets the gauges; a fact that cannot be read has no
 * value then. `end` ends the listening.
 */
export function measureState({ database, backups_kept }: StateOptions, registry: Registry) {
  const gauges = createGauges(registry);
  const streams = new Set<MeasuredStream>();
  let board_log_position: { watermark: string; snapshot: string } | undefined;
  const endings = [
    opened_streams.listen((stream) => void streams.add(stream)),
    closed_streams.listen((stream) => void streams.delete(stream)),
    board_log_reads.listen((position) => {
      board_log_position = position;
    }),
  ];
  const readDatabase = async () => {
    const [event_lag_s, log_lag_s, backup] = await Promise.all([
      // A device that reads slowly is behind by itself.
      readEventLag(
        database,
        [...streams].filter(({ is_backed_up }) => !is_backed_up),
      ),
      board_log_position && readLogLag(database, board_log_position),
      readDueBackupState(database, backups_kept),
    ]);
    return { event_lag_s, log_lag_s, backup };
  };
  return {
    async refresh(): Promise<void> {
      gauges.streams_open.set(streams.size);
      const state = await readDatabase().catch(() => undefined);
      gauges.database_up.set(state ? 1 : 0);
      setOrRemove(gauges.event_lag, state?.event_lag_s);
      setOrRemove(gauges.board_log_lag, state?.log_lag_s);
      const backup = state?.backup ?? undefined;
      const { made_at, bytes } = backup ?? {};
      setOrRemove(gauges.backup_made_at, made_at ? Date.parse(made_at) / 1000 : undefined);
      setOrRemove(gauges.backup_bytes, bytes ?? undefined);
      setOrRemove(gauges.backup_failed, backup && Number(backup.has_failed));
    },
    end(): void {
      for (const end of endings) end();
    },
  };
}

function createGauges(registry: Registry) {
  const createGauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  return {
    streams_open: createGauge('sendlap_streams_open', 'Open streams of events'),
    database_up: createGauge('sendlap_database_up', '1 if the database answered at this scrape, else 0'),
    event_lag: createGauge(
      'sendlap_event_lag_seconds',
      'Age of the oldest event that an open stream of this node has not got',
    ),
    board_log_lag: createGauge(
      'sendlap_board_log_lag_seconds',
      'Age of the oldest change of boards that the boards in memory do not have',
    ),
    backup_made_at: createGauge(
      'sendlap_backup_last_success_timestamp_seconds',
      'When the latest daily backup was made',
    ),
    backup_bytes: createGauge('sendlap_backup_size_bytes', 'Size of the latest daily backup'),
    backup_failed: createGauge('sendlap_backup_failed', '1 if the latest try of a daily backup failed, else 0'),
  };
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
