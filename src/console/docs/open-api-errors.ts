import { catalogue, type ErrorCode } from '../../base/errors/catalogue.ts';
import { type EnvelopeStyle, errorEnvelope, errorStatus } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Names } from '../../base/lib/names.ts';
import { keysOf } from '../../base/lib/records.ts';
import { documentedHeaders } from './documented-headers.ts';
import type { Operation } from './operation.ts';

const text = { type: 'string' };
const codes = keysOf(catalogue);

const errorObject = (fields: Record<string, unknown>) => ({
  type: 'object',
  required: ['type', 'message', ...Object.keys(fields)],
  properties: {
    type: { ...text, description: 'The kind of error.' },
    code: { ...text, enum: codes, description: 'The error code.' },
    message: { ...text, description: 'A description of the problem.' },
    ...fields,
  },
});

/**
 * The error envelopes. The messages dialect uses `MessagesError`, Google's uses `GoogleError`, all other
 * endpoints use `Error`.
 */
export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: errorObject({
        param: {
          type: ['string', 'null'],
          description: 'Path of the invalid field. `null` means that the error is not about a field.',
        },
      }),
    },
  },
  MessagesError: {
    type: 'object',
    required: ['type', 'error'],
    properties: { type: { const: 'error' }, error: errorObject({}) },
  },
  GoogleError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status', 'details'],
        properties: {
          code: { type: 'integer', description: 'The status of the answer.' },
          message: { ...text, description: 'A description of the problem.' },
          status: { ...text, description: 'The word of the vendor for the status.' },
          details: {
            type: 'array',
            items: { type: 'object' },
            description: 'An `ErrorInfo` has the error code, and a `BadRequest` the invalid field.',
          },
        },
      },
    },
  },
};

const schemaByStyle: Record<EnvelopeStyle, keyof typeof errorSchemas> = {
  openai: 'Error',
  messages: 'MessagesError',
  google: 'GoogleError',
};

const exampleName = (style: EnvelopeStyle, code: ErrorCode): string => `${schemaByStyle[style]}.${code}`;

/**
 * Makes an example of every error that an operation can answer, in its envelope and with its default message.
 */
export const errorExamples = (operations: readonly Pick<Operation, 'errors' | 'style'>[]) =>
  Object.fromEntries(
    operations.flatMap(({ errors, style }) =>
      errors.map((code) => {
        const refusal = new Refusal(code);
        return [exampleName(style, code), { summary: refusal.message, value: errorEnvelope(style, refusal) }];
      }),
    ),
  );

const isError = ({ on }: { on: string }) => on === 'error' || on === 'wait';

/** Returns the headers of error responses, as OpenAPI components. */
export const errorHeaders = (names: Names) =>
  Object.fromEntries(
    documentedHeaders(names)
      .filter(isError)
      .map(({ name, description }) => [name, { description, schema: text }]),
  );

function headersOf(status: number, names: Names) {
  const waits = status === 429 || status === 503 || status === 529;
  const sent = documentedHeaders(names).filter(({ on }) => on === 'error' || (on === 'wait' && waits));
  return Object.fromEntries(sent.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the error responses of an operation, one for each status. */
export function errorResponses({ errors, style }: Pick<Operation, 'errors' | 'style'>, names: Names) {
  const byStatus = Map.groupBy(errors, (code) => errorStatus(style, new Refusal(code)));
  return Object.fromEntries(
    [...byStatus].map(([status, together]) => [
      String(status),
      {
        description: together.map((code) => `\`${code}\`: ${catalogue[code].message}`).join('\n\n'),
        headers: headersOf(status, names),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schemaByStyle[style]}` },
            examples: Object.fromEntries(
              together.map((code) => [code, { $ref: `#/components/examples/${exampleName(style, code)}` }]),
            ),
          },
        },
      },
    ]),
  );
}
