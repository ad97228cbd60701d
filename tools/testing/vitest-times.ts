/**
 * Where the time of one Vitest project went, ms: from its first file's start to its last file's end, and in its tests.
 */
export type ProjectTimes = { project: string; wall_ms: number; tests_ms: number };

/** One test file's run: its start and end, ms epoch, and the time of its tests and hooks together. */
export type FileRun = { project: string; started_at: number; ended_at: number; tests_ms: number };

export function sumProjects(runs: FileRun[]): ProjectTimes[] {
  const projects = [...new Set(runs.map(({ project }) => project))];
  return projects.map((project) => {
    const project_runs = runs.filter((run) => run.project === project);
    const started_at = Math.min(...project_runs.map((run) => run.started_at));
    const ended_at = Math.max(...project_runs.map((run) => run.ended_at));
    return {
      project,
      wall_ms: ended_at - started_at,
      tests_ms: project_runs.reduce((sum, run) => sum + run.tests_ms, 0),
    };
  });
}
