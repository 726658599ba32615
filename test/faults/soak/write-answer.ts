import type { Field } from '../../../src/simulator/model/field.ts';
import type { Tokenizer } from '../../../src/simulator/model/tokenizer.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../../../src/simulator/model/wire.ts';
import type { CallUsage } from './call-record.ts';
import { payers, type Script, type SoakRequest } from './draw-request.ts';
import { planAnswer } from './plan-answer.ts';
import { modelOf, servedBy, vectorModel } from './soak-models.ts';

/** A request that has come in on one of the wires. */
export type Received = {
  wire: SimulatorWire;
  body: Field;
  /** The name of the model at the upstream. */
  model: string;
  /** The part of the path after the model. */
  action: string;
  query: URLSearchParams;
  asked: SoakRequest;
  script: Script;
  reportsUsage: boolean;
};

const VECTOR_WIDTH = 8;

/** Writes the whole answer on its wire, with the upstream's count. */
export function writeAnswer(
  received: Received,
  tokenizer: Tokenizer,
): { answer: SimulatorAnswer; usage: CallUsage } {
  const { wire, body, model, asked, script, reportsUsage, ...routed } = received;
  const served = servedBy(model);
  const thinks = modelOf(served).thinks === true;
  const { cachedShare } = payers[asked.payer];
  let usage: CallUsage = { input: 0, cacheRead: 0, output: 0 };
  const exchange: SimulatorExchange = {
    ...routed,
    body,
    model,
    tokenizer,
    reportsUsage,
    embeddingDimensions: VECTOR_WIDTH,
    createdSeconds: Math.floor(Date.now() / 1_000),
    plan: (prompt) => {
      const reply = planAnswer(prompt, { script, thinks, cachedShare, tokenizer });
      usage = { input: reply.usage.input, cacheRead: reply.usage.cacheRead, output: reply.usage.output };
      return reply;
    },
    id: (prefix, index = 0) => `${prefix}${asked.number}x${index}`,
  };
  const answer = wire.answer(exchange);
  if (served === vectorModel.id) usage.input = tokenizer.count(body.at('input').text());
  return { answer, usage };
}
