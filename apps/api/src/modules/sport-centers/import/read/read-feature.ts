import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { midpointOfGeometry } from './geometry.ts';
import { describeIllFormedText, textOf, titleOf } from './read-text.ts';
import { parseSourceRef, refFromContent, type SourceRef } from './source-ref.ts';
import type { ReadOptions, Refusal, RefusalCode, SourceRecord, Tags } from './types.ts';

/** Facts of the file as a whole; a feature's own facts override them, and the operator's override both. */
export type FileFacts = { source: string; licence: string | null; dataset: string | null };

/** OpenStreetMap data is under this licence in any export, even if the tool did not write it down. */
export const OSM_LICENCE = 'ODbL-1.0';

/** Reads one GeoJSON feature into a record or a refusal. `index` counts features from 0. */
export function readFeature(
  feature: unknown,
  index: number,
  file: FileFacts,
  options: ReadOptions,
): SourceRecord | Refusal {
  if (!isRecord(feature) || feature.type !== 'Feature') {
    return { index, ref: `#${index}`, name: null, code: 'invalid_feature', reason: 'not a GeoJSON feature' };
  }
  const properties = isRecord(feature.properties) ? feature.properties : {};
  const tags = readTags(properties);
  const own = readRef(feature, properties);
  const name = tags.name ?? null;
  const refuse = (code: RefusalCode, reason: string): Refusal => {
    return { index, ref: own ? `${own.source}:${own.source_ref}` : `#${index}`, name, code, reason };
  };
  const broken = describeIllFormedText(properties);
  if (broken !== null) return refuse('invalid_text', broken);
  const point = midpointOfGeometry(feature.geometry);
  if (point === null) return refuse('no_geometry', 'it has no coordinates, or they are not numbers');
  const fallback: SourceRef = {
    source: file.source,
    source_ref: refFromContent(name, point.latitude, point.longitude),
  };
  const ref = own ?? fallback;
  return {
    index,
    ...ref,
    ...point,
    tags,
    declared_sports: readSports(properties),
    // Raw OpenStreetMap tags have a `source` too, which names an aerial image, not a collection.
    dataset: (isNormalised(properties) ? titleOf(properties.source) : null) ?? file.dataset,
    licence: options.licence ?? statedLicence(properties) ?? (ref.source === 'osm' ? OSM_LICENCE : file.licence),
  };
}

function statedLicence(properties: Record<string, unknown>): string | null {
  return titleOf(properties.license) ?? titleOf(properties.licence);
}

function isNormalised(properties: Record<string, unknown>): boolean {
  return isRecord(properties.tags) || Array.isArray(properties.types) || Array.isArray(properties.sports);
}

function readRef(feature: Record<string, unknown>, properties: Record<string, unknown>): SourceRef | null {
  for (const candidate of [feature.id, properties['@id'], properties.id]) {
    const ref = typeof candidate === 'string' ? parseSourceRef(candidate) : null;
    if (ref !== null) return ref;
  }
  return null;
}

function readSports(properties: Record<string, unknown>): Sport[] | null {
  const declared = properties.types ?? properties.sports;
  if (!Array.isArray(declared)) return null;
  return SPORTS.filter((sport) => declared.includes(sport));
}

/** Plain columns of normalised and open-data files, and their tags. */
const COLUMNS: Readonly<Record<string, string>> = {
  address: 'addr:full',
  city: 'addr:city',
  country: 'addr:country',
  postcode: 'addr:postcode',
};

/** Tags as text: from `properties.tags` if nested, else from the properties; without empty ones. */
export function readTags(properties: Record<string, unknown>): Tags {
  const nested = isRecord(properties.tags) ? properties.tags : {};
  const tags: Record<string, string> = {};
  for (const [key, value] of Object.entries({ ...properties, ...nested })) {
    const text = textOf(value);
    if (text === null) continue;
    tags[key] = text;
    const column = COLUMNS[key];
    if (column !== undefined) tags[column] ??= text;
  }
  if (properties.is_private === true) tags.access = 'private';
  if (properties.is_private === false) tags.access = 'yes';
  return tags;
}
