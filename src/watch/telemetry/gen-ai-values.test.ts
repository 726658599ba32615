import { expect, test } from 'bun:test';
import { generatingEndpoints } from '../../inference/recording/generating-endpoints.ts';
import { operationOf } from './gen-ai-values.ts';

test('every endpoint that generates has an operation', () => {
  const routes = Object.keys(generatingEndpoints);
  expect(routes.filter((route) => operationOf(route) === undefined)).toEqual([]);
});

test("only methods that call a model have the conventions' operations", () => {
  const methods = ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents'];
  expect(methods.map((method) => operationOf(`/v1beta/models/{id*}:${method}`))).toEqual([
    'generate_content',
    'generate_content',
    'embeddings',
    'embeddings',
  ]);
  expect(operationOf('/v1beta/models')).toBeUndefined();
});
