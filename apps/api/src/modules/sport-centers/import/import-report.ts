import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import type { ImportReport, MergedRecord } from './report.ts';
import { ReportFile } from './report-file.ts';
import type { Refusal } from './types.ts';

const KEPT = 1000;
const PAGE_ROWS = 5000;

/** Counts refusals and keeps the first ones; all of them go to the report file where there is one. */
export class ReportWriter {
  readonly by_reason: ImportReport['by_reason'] = {};
  readonly refused: Refusal[] = [];
  readonly merged: MergedRecord[] = [];
  refused_count = 0;
  private readonly file: ReportFile | null;

  private constructor(file: ReportFile | null) {
    this.file = file;
  }

  /** @throws ImportError where the report file can't be written, as all that writes to it does */
  static async create(path: string | undefined): Promise<ReportWriter> {
    const file = path === undefined ? null : await ReportFile.create(path);
    await file?.open('refused');
    return new ReportWriter(file);
  }

  async refuse(refusal: Refusal): Promise<void> {
    this.by_reason[refusal.code] = (this.by_reason[refusal.code] ?? 0) + 1;
    this.refused_count += 1;
    if (this.refused.length < KEPT) this.refused.push(refusal);
    await this.file?.add('refused', refusal);
  }

  /** Reads what was merged, in the order of the file. */
  async addMerges(trx: Trx): Promise<void> {
    await this.file?.open('merged');
    let last = -1;
    while (true) {
      const { rows } = await sql<MergedRecord & { node: number }>`
        select node, ref, name, into_ref as into, into_name from import_merges
        where node > ${last} order by node limit ${PAGE_ROWS}`.execute(trx);
      for (const { node, ...merged } of rows) {
        last = node;
        if (this.merged.length < KEPT) this.merged.push(merged);
        await this.file?.add('merged', merged);
      }
      if (rows.length < PAGE_ROWS || (this.file === null && this.merged.length >= KEPT)) return;
    }
  }

  /** Reads which centers were closed; the table is there where somebody asked. */
  async addClosed(trx: Trx): Promise<void> {
    if (this.file === null) return;
    await this.file.open('closed_centers');
    let last = -1;
    while (true) {
      const { rows } = await sql<{ number: number; id: string; ref: string; name: string }>`
        select closed.number, center.id, center.source || ':' || center.source_ref as ref, center.name
        from import_closed closed join sport_centers center on center.id = closed.id
        where closed.number > ${last} order by closed.number limit ${PAGE_ROWS}`.execute(trx);
      for (const { number, ...center } of rows) {
        last = number;
        await this.file.add('closed_centers', center);
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  async end({ merged: _merged, refused: _refused, ...report }: ImportReport): Promise<void> {
    await this.file?.end(report);
  }

  async publish(): Promise<void> {
    await this.file?.publish();
  }

  async discard(): Promise<void> {
    await this.file?.discard();
  }
}
