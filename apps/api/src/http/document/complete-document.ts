import type { LiveEvent } from '@sendlap/contract/events.ts';
import { GENERAL_ERRORS } from '@sendlap/contract/wire/endpoint-errors.ts';
import { ERROR_STATUS, type ErrorCode, Failure } from '@sendlap/contract/wire/errors.ts';
import * as z from 'zod/mini';
import { serializeEvent, toFrame } from '#api/events/event-messages.ts';
import { EXAMPLE_MESSAGES } from './example-messages.ts';
import { EXAMPLE_VALUES } from './example-values.ts';
import type { ApiDocument, Content, DocumentedReply, JsonSchema, Operation, RateLimit } from './json-schema.ts';
import { makeExample } from './make-example.ts';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const FAILURE_REF = '#/components/schemas/Failure';
const EXAMPLE_SEQ = 17;
const DESCRIPTION = `Each reply of a call is \`{ "success": true, "data": … }\`, each refusal is
\`{ "success": false, "code": …, "message": … }\` with the header \`x-request-id\`. The \`code\` is stable; the \`message\` may change.

Most calls need a bearer token: the \`access_token\` of \`POST /v1/auth/login\`, for an account of this server, or of a sign-in at its
provider.

Times are ISO 8601 in UTC. A list has \`next_cursor\`, which is null on its last page. Fields and values may be added to a reply at any time: ignore those that you do not know.`;

const WINDOWS: Readonly<Record<number, string>> = { 60: 'minute', 3600: 'hour', 86400: 'day' };

/** Parts of requests that exclude others, by method and path: the example is without them. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/activities/validate': ['code', 'adjust'],
  'GET /v1/sport-centers/search': ['bbox', 'is_private', 'city'],
  'GET /v1/chats/{chat_id}/messages': ['after', 'before'],
};

/** Adds an example to every request and reply, and the rate limit and the refusals of every call. */
export function completeDocument<Document extends object>(generated: Document): Document {
  const document = structuredClone(generated) as unknown as ApiDocument;
  document.info.description = DESCRIPTION;
  document.components = {
    ...document.components,
    schemas: { Failure: z.toJSONSchema(Failure, { io: 'output' }) },
    responses: { General: describeFailures('Any call may also be refused with one of these', [...GENERAL_ERRORS]) },
  };
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      addExamples(operation, { name: `${method.toUpperCase()} ${path}`, noun: nounOf(path) });
      nameSuccess(operation);
      if (operation['x-rate-limit']) operation.description = describeLimit(operation['x-rate-limit']);
      addFailures(operation);
    }
  }
  return document as unknown as Document;
}

function describeLimit({ max, window_s, counted_by }: RateLimit): string {
  const window = WINDOWS[window_s] ?? `${window_s} s`;
  return `At most ${max} calls per ${window} and ${counted_by}; then \`too_many_requests\`, with \`retry-after\`.`;
}

/** What a call of this path is about. */
function nounOf(path: string): string {
  return path.endsWith('/messages') ? 'messages' : (path.split('/')[2] ?? '');
}

function addExamples(operation: Operation, { name, noun }: { name: string; noun: string }): void {
  const without = WITHOUT[name] ?? [];
  const exampleOf = (schema: JsonSchema, field = '') => makeExample(schema, { field, parent: noun });
  for (const parameter of operation.parameters ?? []) {
    const { name: field, required, schema } = parameter;
    // "Try it out" sends each example: so an optional parameter has one only if its value is known.
    if (!without.includes(field) && (required || Object.hasOwn(EXAMPLE_VALUES, field)))
      parameter.example = exampleOf(schema, field);
  }
  const request = operation.requestBody?.content[JSON_TYPE];
  if (request) {
    const body = Object.entries(exampleOf(request.schema) as object);
    request.example = Object.fromEntries(body.filter(([field]) => !without.includes(field)));
  }
  for (const { content = {} } of Object.values(operation.responses)) {
    const { [JSON_TYPE]: reply, [STREAM_TYPE]: stream } = content;
    if (reply) reply.example = exampleOf(reply.schema);
    if (stream) stream.example = toFrame(serializeEvent(exampleOf(stream.schema) as LiveEvent), EXAMPLE_SEQ);
  }
}

/** The route's own key, 2XX, serves any success; the document names the usual one. */
function nameSuccess(operation: Operation): void {
  const { 'x-status': status, responses } = operation;
  delete operation['x-status'];
  const success = responses['2XX'];
  if (status === undefined || !success) return;
  delete responses['2XX'];
  responses[status] = { ...success, description: 'Success' };
}

function addFailures(operation: Operation): void {
  const { 'x-error-codes': codes = [] } = operation;
  delete operation['x-error-codes'];
  const by_status = Map.groupBy(codes, (code) => String(ERROR_STATUS[code]));
  for (const [status, same] of by_status) operation.responses[status] = describeFailures('Refused', same);
  operation.responses.default = { $ref: '#/components/responses/General' } as unknown as DocumentedReply;
}

function describeFailures(reason: string, codes: ErrorCode[]): DocumentedReply {
  const schema = { allOf: [{ $ref: FAILURE_REF }, { type: 'object', properties: { code: { enum: codes } } }] };
  const content: Content = {
    schema: schema as JsonSchema,
    examples: Object.fromEntries(codes.map((code) => [code, { value: makeFailure(code) }])),
  };
  return {
    description: `${reason}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: { [JSON_TYPE]: content },
  };
}

function makeFailure(code: ErrorCode): Failure {
  const message = EXAMPLE_MESSAGES[code];
  const [path = '', reason = ''] = message.split(/: (.*)/);
  const details = code === 'validation_failed' ? { details: [{ path, message: reason }] } : {};
  return { success: false, message, code, ...details, error: message };
}
