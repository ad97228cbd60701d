import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { type FileRun, sumProjects } from './vitest-times.ts';

/** Writes where each project's time went into the file that VITEST_TIMES names. */
export default class VitestTimesReporter implements Reporter {
  #started_at = new Map<string, number>();
  #runs: FileRun[] = [];

  onTestModuleQueued({ id }: TestModule): void {
    this.#started_at.set(id, Date.now());
  }

  onTestModuleEnd(module: TestModule): void {
    const ended_at = Date.now();
    this.#runs.push({
      project: module.project.name,
      started_at: this.#started_at.get(module.id) ?? ended_at,
      ended_at,
      tests_ms: module.diagnostic().duration,
    });
  }

  onTestRunEnd(): void {
    const path = process.env.VITEST_TIMES;
    if (path) writeFileSync(path, JSON.stringify(sumProjects(this.#runs)));
  }
}
