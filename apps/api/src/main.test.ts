import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const SECRET = 'the same long secret on every node of this database';

/** Starts the server as a person would; ends it once it has printed its address. */
function start(settings: Record<string, string>): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: '', SECRET: '', PORT: '0', LOG_LEVEL: 'silent', ...settings };
    const child = spawn(process.execPath, [MAIN], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('ready at')) child.kill('SIGTERM');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('the server does not start, and says why in one line,', () => {
  test.each([
    ['a port that is none', { PORT: 'eighty' }, 'PORT'],
    ['a database without the secret that goes with it', { DATABASE_URL: 'postgres://localhost/x' }, 'SECRET'],
    ['a database that is not there', { DATABASE_URL: 'postgres://localhost:1/x', SECRET }, 'DATABASE_URL'],
  ])('with %s', async (_name, settings, names) => {
    const { code, stdout, stderr } = await start(settings);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^Sendlap cannot start: ${names}: [^\\n]+\\n$`));
  });
});

test('DATABASE_URL is another server: it is migrated, filled and served, and a second start changes nothing', async () => {
  const { url, drop } = await createTestDatabase();
  try {
    for (let time = 1; time <= 2; time += 1) {
      const { code, stdout } = await start({ DATABASE_URL: url, SECRET });
      expect(stdout).toMatch(/^Sendlap is ready at http:\/\/localhost:\d+\n$/);
      expect(code).toBe(0);
    }
  } finally {
    await drop();
  }
});
