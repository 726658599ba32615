import { expect, test } from 'bun:test';
import type { ListedResponse } from '../../inference/responses/response-store.ts';
import { responseDetailView } from './response-views.ts';

const response = { id: 'interaction_1', createdAt: 0, expiresAt: 1 } as ListedResponse;

test('an interaction is shown with its steps and its usage', () => {
  const steps = [{ type: 'model_output', content: [{ type: 'text', text: 'Hello!' }] }];
  const usage = { total_input_tokens: 4, total_output_tokens: 2, total_thought_tokens: 3, total_tokens: 9 };
  const envelope = JSON.stringify({ status: 'completed', system_instruction: 'Be kind.', steps, usage });
  expect(responseDetailView(response, [], envelope)).toMatchObject({
    instructions: 'Be kind.',
    output: steps,
    usage: { input_tokens: 4, output_tokens: 5 },
  });
});

test('a response is shown as it was sent', () => {
  const output = [{ type: 'message', content: [] }];
  const usage = { input_tokens: 4, output_tokens: 2 };
  const envelope = JSON.stringify({ status: 'completed', instructions: null, output, usage });
  expect(responseDetailView(response, [], envelope)).toMatchObject({ instructions: null, output, usage });
});
