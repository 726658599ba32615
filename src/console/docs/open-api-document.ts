import type { Names } from '../../base/lib/names.ts';
import type { OtherAnswer, Route, RouteKey, RouteParameter } from '../../edge/http/route.ts';
import { fillIn } from './fill-in.ts';
import { errorExamples, errorHeaders, errorResponses, errorSchemas } from './open-api-errors.ts';
import { securityByKey, securitySchemes } from './open-api-security.ts';
import { type Operation, operationOf } from './operation.ts';
import { publishSchema } from './publish-schema.ts';
import { SchemaComponents } from './schema-components.ts';
import { tagsOf } from './tags-of.ts';

export type OpenApiFacts = {
  routes: readonly Route[];
  names: Names;
  url: string;
  version: string;
  /** The values of the placeholders in examples. */
  examples: Readonly<Record<string, string>>;
};

type Context = { names: Names; schemas: SchemaComponents };

/** Builds the OpenAPI 3.1 document from the route table. OpenAPI 3.1 uses JSON Schema, as the routes do. */
export function openApiDocument({
  routes,
  names,
  url,
  version,
  examples,
}: OpenApiFacts): Record<string, unknown> {
  const operations = routes.map(operationOf);
  const schemas = new SchemaComponents(errorSchemas);
  const context = { names, schemas };
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Tollgate',
      version,
      summary: 'A self-hosted model gateway.',
      description: 'One API key and one address for a catalog of language models.',
      contact: { name: 'The operator of this server', url: `${url}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    tags: tagsOf(operations),
    paths: buildPaths(operations, context),
    components: {
      schemas: schemas.toObject(),
      examples: errorExamples(operations),
      headers: errorHeaders(names),
      securitySchemes: securitySchemes(names),
    },
  };
  // Placeholders are in texts at any depth, so the text of the whole document is filled in.
  return JSON.parse(fillIn(JSON.stringify(document), { brand: names.brand, ...examples }));
}

function buildPaths(operations: readonly Operation[], context: Context) {
  return Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, together]) => [
      path,
      Object.fromEntries(
        together.map((operation) => [operation.method.toLowerCase(), buildOperation(operation, context)]),
      ),
    ]),
  );
}

function buildOperation(operation: Operation, context: Context) {
  const { id, summary, group, key, pathParameters, query = [], headers = [] } = operation;
  const parameters = [
    ...pathParameters.map((parameter) => buildParameter(parameter, 'path', context)),
    ...query.map((parameter) => buildParameter(parameter, 'query', context)),
    ...headers.map((parameter) => buildParameter(parameter, 'header', context)),
  ];
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation),
    tags: [group],
    security: securityByKey[key],
    ...(parameters.length > 0 && { parameters }),
    ...((operation.body || operation.form) && { requestBody: buildRequestBody(operation, context) }),
    responses: {
      [String(operation.answerStatus ?? 200)]: buildAnswer(operation, context),
      ...errorResponses(operation, context.names),
      ...buildOtherAnswers(operation, context),
    },
  };
}

const credentials: Record<RouteKey, string> = {
  none: 'Takes no credential.',
  either: 'Takes an API key in `x-api-key` or `Authorization`.',
  bearer: 'Takes an API key in `Authorization`.',
  'x-api-key': 'Takes an API key in `x-api-key`.',
  google: 'Takes an API key in `x-goog-api-key`, or as the query parameter `key`.',
  admin: 'Takes an admin token in `Authorization`.',
};

const descriptionOf = ({ summary, key, streams }: Operation): string =>
  [
    `${summary}.`,
    credentials[key],
    ...(streams ? ['With `stream: true` the answer is a stream of server-sent events.'] : []),
  ].join(' ');

const buildOtherAnswers = ({ otherAnswers = {} }: Operation, { schemas }: Context) =>
  Object.fromEntries(
    Object.entries<OtherAnswer>(otherAnswers).map(([status, { description, body }]) => [
      status,
      {
        description,
        ...(body && {
          content: {
            'application/json': { schema: publishSchema(body.schema, schemas), example: body.example },
          },
        }),
      },
    ]),
  );

const buildParameter = (
  { name, description, schema, isRequired }: RouteParameter,
  place: string,
  { schemas }: Context,
) => ({
  name,
  in: place,
  description,
  ...(isRequired && { required: true }),
  schema: schema ? publishSchema(schema, schemas) : { type: 'string' },
});

const buildRequestBody = ({ body, bodyExample, form }: Operation, { schemas }: Context) => ({
  required: true,
  content: {
    ...(form && { 'multipart/form-data': { schema: publishSchema(form.schema, schemas) } }),
    ...(body && {
      'application/json': {
        schema: publishSchema(body, schemas),
        ...(bodyExample !== undefined && { example: bodyExample }),
      },
    }),
  },
});

function buildAnswer({ answer, answerType, answerSchema, streams }: Operation, { names, schemas }: Context) {
  const type = answerType ?? 'application/json';
  const text = { schema: { type: 'string' } };
  const undescribed = type === 'application/json' ? {} : text;
  const whole = answerSchema ? { schema: publishSchema(answerSchema, schemas) } : undescribed;
  return {
    description: answer ?? 'Done.',
    headers: {
      [names.header.requestId]: { description: "The request's id.", schema: { type: 'string' } },
    },
    content: { [type]: whole, ...(streams && { 'text/event-stream': text }) },
  };
}
