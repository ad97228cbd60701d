import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';

/** The parts of JSON Schema that the contract's schemas turn into. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  default?: unknown;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Content {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface DocumentedReply {
  description: string;
  content?: Record<string, Content>;
}

/** At most `max` calls per `window_s` seconds. */
export interface RateLimit {
  max: number;
  window_s: number;
  counted_by: 'user' | 'kiosk' | 'session, or IP address' | 'IP address';
}

export interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, DocumentedReply>;
  /** Also in words, in `description`. */
  'x-rate-limit'?: RateLimit;
  /** Codes of its refusals; from the route to `completeDocument`, which removes it. */
  'x-error-codes'?: ErrorCode[];
  /** Status of its success; from the route to `completeDocument`, which removes it. */
  'x-status'?: number;
}

/** The parts of an OpenAPI document that the server's own has. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components?: object;
}
