import { ANTHROPIC_MESSAGES } from '../../wires/anthropic-messages.ts';
import { OPENAI_CHAT } from '../../wires/openai-chat.ts';
import { sendFailure } from '../send-answer.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { anthropicBatches } from './anthropic-batches.ts';
import type { BatchEndpoints, SimulatedBatchParts } from './batch-call.ts';
import { openaiBatches } from './openai-batches.ts';

/** The batch APIs of the vendors that have one on the wires of the simulator. */
export function createBatches(state: SimulatorState, answer: SimulatedBatchParts['answer']): BatchEndpoints {
  let count = 0;
  const parts: SimulatedBatchParts = {
    answer,
    nowSeconds: () => Math.floor(state.clock.now() / 1_000),
    newId: (prefix) => `${prefix}simulated${++count}`,
  };
  const vendors = [
    { wire: ANTHROPIC_MESSAGES, at: /^\/messages\/batches(\/|$)/, answers: anthropicBatches(parts) },
    { wire: OPENAI_CHAT, at: /^\/(files|batches)(\/|$)/, answers: openaiBatches(parts) },
  ];
  return async (call) => {
    const vendor = vendors.find(({ at }) => at.test(call.path));
    if (!vendor) return undefined;
    const { apiKey } = state.options;
    const { headers, url } = call.request;
    if (apiKey !== undefined && vendor.wire.credential(headers, new URL(url).searchParams) !== apiKey)
      return sendFailure(vendor.wire, { status: 401, message: 'Incorrect API key provided.' });
    return vendor.answers(call);
  };
}
