import { join } from 'node:path';

/** Everything that a cut stores. */
export const cutFolder = (data_dir: string): string => join(data_dir, 'streets');

/** The archive of the town that was cut last; it may not exist. */
export const cutFile = (data_dir: string): string => join(cutFolder(data_dir), 'streets.pmtiles');
