import { expect, test } from 'bun:test';
import { lacksFeature } from './lacks-feature.ts';

const features = [
  '{"error":{"message":"Invalid URL (POST /v1/responses)","type":"invalid_request_error"}}',
  '{"error":{"message":"Unknown request URL: POST /openai/v1/x. Please check the URL for typos","code":"unknown_url"}}',
  '{"error":{"message":"No endpoints found that support tool use. To learn more, see the guide."}}',
  '{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint."}}',
  '{"error":{"message":"The feature structured outputs is not available in this region"}}',
  '{"error":{"message":"This server does not support embeddings","type":"not_supported_error"}}',
  '{"error":{"message":"The endpoint /v1/embeddings does not exist"}}',
];
const models = [
  '',
  '{}',
  '{"detail":"Not Found"}',
  '404 page not found',
  '<html><body>The endpoint was not found</body></html>',
  '{"error":{"message":"The model `x` does not exist or you do not have access to it.","code":"model_not_found"}}',
  '{"error":"model \'x\' not found, try pulling it first"}',
  '{"error":{"type":"not_found_error","message":"model: claude-x"}}',
  '{"error":{"message":"models/x is not found for API version v1beta, or is not supported for generateContent."}}',
  '{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}',
  '{"error":{"message":"No endpoints found for maker/model."}}',
  '{"message":"The requested model is not available on this endpoint"}',
];

test.each(features)('a 404 names a feature or an endpoint: %s [ERR-57]', (body) => {
  expect(lacksFeature(body)).toBeTrue();
});

test.each(models)('a 404 is about the model, or says nothing: %s', (body) => {
  expect(lacksFeature(body)).toBeFalse();
});
