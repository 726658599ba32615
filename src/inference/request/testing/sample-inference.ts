import { knownBody } from '../../../base/json/json-body.ts';
import { partial } from '../../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../../edge/http/testing/sample-exchange.ts';
import { samplePrincipal } from '../../../money/auth/testing/sample-principal.ts';
import { createChatDialect } from '../../../translation/protocols/chat-completions/create-chat-dialect.ts';
import { Inference } from '../inference.ts';
import type { Services } from '../services.ts';

type InferenceFields = Partial<Omit<Inference, 'services'>> & { services?: Partial<Services> };

/** Creates a request that has come as far as the given members say. */
export function sampleInference({
  services = {},
  dialect = createChatDialect(),
  exchange = sampleExchange(),
  principal = samplePrincipal(),
  body = knownBody('{}', {}),
  unattended,
  ...found
}: InferenceFields = {}): Inference {
  const arrived = { exchange, principal, body, unattended };
  return Object.assign(new Inference(partial<Services>(services), dialect, arrived), found);
}
