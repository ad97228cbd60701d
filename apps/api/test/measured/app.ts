import { patchSources } from '../source-patches.ts';
import { answerCpuTime } from './serve.ts';

/**
 * The whole app with one signed-in user, for a bench that forks it: sends its address, then its CPU time. BENCH_PATH: the
 * call. With BENCH_WITHOUT_MEASUREMENTS a statement asks no more whether metrics or traces listen.
 */
const { BENCH_PATH: path = '/v1/auth/me', BENCH_WITHOUT_MEASUREMENTS, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env;
if (BENCH_WITHOUT_MEASUREMENTS) {
  patchSources([
    {
      file: 'src/database/statement-pipeline.ts',
      find: 'statements.is_observed ? measured(statement, callback) : callback',
      replace: 'callback',
    },
    {
      file: 'src/database/database.ts',
      find: 'pool_waits.is_observed ? connectMeasured() : connect()',
      replace: 'connect()',
    },
  ]);
}
const { openScene } = await import('./scene.ts');
const scene = await openScene(OTEL_EXPORTER_OTLP_ENDPOINT ? { OTEL_EXPORTER_OTLP_ENDPOINT } : {});
const { headers } = await scene.signIn('Ada');
answerCpuTime({ port: Number(new URL(scene.url).port), path, headers });
