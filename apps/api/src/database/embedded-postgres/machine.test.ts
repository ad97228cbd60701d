import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkLibc } from './binaries.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { checkFreeSpace } from './free-space.ts';

// One of the tests creates a database.
vi.setConfig({ testTimeout: 90_000 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-machine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a disk with too little room', () => {
  const withFree = (bytes: number) => () => ({ ...statfsSync(folder), bsize: 1000, blocks: 1e9, bavail: bytes / 1000 });

  test.each([
    [false, 127_000_000],
    [true, 31_000_000],
  ])('is refused with one line before anything is written (data there: %s)', (has_data, bytes) => {
    const data_dir = join(folder, 'data', 'of mine');
    const check = () => checkFreeSpace(data_dir, has_data, withFree(bytes));
    expect(check).toThrow(expect.objectContaining({ name: 'StartError' }));
    expect(check).toThrow(/^The disk of the data folder [^\n]+ is full \(\d+ MB are left, \d+ MB are needed\)[^\n]+$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    [false, 128_000_000],
    [true, 32_000_000],
  ])('has enough for a start (data there: %s) with a little more', (has_data, bytes) => {
    expect(() => checkFreeSpace(join(folder, 'data'), has_data, withFree(bytes))).not.toThrow();
  });

  test('a disk that fills up during the start is reported in the same words', async () => {
    const onNewCluster = async () => {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
    };
    const data_dir = mkdtempSync('/tmp/sendlap-full-');
    rmSync(data_dir, { recursive: true });
    const logger = { info() {}, warn() {}, error() {} };
    await expect(startEmbeddedPostgres({ data_dir, logger, onNewCluster })).rejects.toThrow(
      /^The disk of the data folder \S+ is full[^\n]+$/,
    );
    expect(readdirSync(data_dir).filter((name) => !name.startsWith('postgres-'))).toEqual([]);
    rmSync(data_dir, { recursive: true });
  });
});

describe('the C library of the machine', () => {
  function writeServer(text: string): string {
    const bin_dir = join(folder, 'bin');
    mkdirSync(bin_dir);
    writeFileSync(join(bin_dir, 'postgres'), text, { mode: 0o755 });
    return bin_dir;
  }

  test('that is not glibc is reported: the loader of the server is missing', () => {
    const bin_dir = writeServer('#!/lib64/no-such-loader.so.2\n');
    expect(() => checkLibc(bin_dir)).toThrow(/^The embedded PostgreSQL needs glibc, which this machine lacks: [^\n]+$/);
  });

  test('that is too old is reported with the required version', () => {
    const complaint =
      "postgres: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by postgres)";
    const bin_dir = writeServer(`#!/bin/sh\necho "${complaint.replace('`', '\\`')}" >&2\nexit 1\n`);
    expect(() => checkLibc(bin_dir)).toThrow(/^The embedded PostgreSQL needs glibc 2\.38 or newer, [^\n]+$/);
  });

  test('that runs the server is taken', () => {
    expect(() => checkLibc(writeServer('#!/bin/sh\necho "postgres (PostgreSQL) 18.4"\n'))).not.toThrow();
  });
});
