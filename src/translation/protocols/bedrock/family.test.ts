import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import { bedrockWire } from './bedrock-wire.ts';

test.each([
  ['global.anthropic.claude-haiku-4-5-20251001-v1:0', true],
  ['eu.anthropic.claude-sonnet-4-6', true],
  ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', true],
  ['anthropic.claude-3-haiku-20240307-v1:0', false],
  ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc', false],
  ['amazon.nova-pro-v1:0', false],
  ['meta.llama3-70b-instruct-v1:0', false],
])('a conversation with a cache key gets cache points on %s: %p', (upstreamModel, hasPoints) => {
  const target = { upstreamModel, reasoning: false, reasoningEfforts: [] };
  const request = plainRequest({ hints: { cacheKey: 'k', wantsCache: true } });
  const { body, losses } = acceptedOrError(bedrockWire.encodeRequest(request, target));
  expect({ hasPoints: body.includes('cachePoint'), losses }).toEqual({ hasPoints, losses: [] });
});
