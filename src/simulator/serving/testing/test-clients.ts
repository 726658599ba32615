import { CHAT_CLIENT } from './chat-client.ts';
import { CONVERSE_CLIENT } from './converse-client.ts';
import { GENERATE_CLIENT } from './generate-client.ts';
import { INTERACTIONS_CLIENT } from './interactions-client.ts';
import { MESSAGES_CLIENT } from './messages-client.ts';
import type { ObservedAnswer } from './observed-answer.ts';
import { type ParsedFrame, parseAws, parseSse } from './parse-frames.ts';
import { RESPONSES_CLIENT } from './responses-client.ts';
import type { SimulatorRequest } from './simulator-request.ts';
import type { TestClient } from './test-client.ts';

export const CHAT_CLIENTS: TestClient[] = [
  CHAT_CLIENT,
  RESPONSES_CLIENT,
  MESSAGES_CLIENT,
  GENERATE_CLIENT,
  INTERACTIONS_CLIENT,
  CONVERSE_CLIENT,
];

export const framesOf = ({ wire }: TestClient, bytes: Uint8Array): ParsedFrame[] =>
  wire === 'bedrock-converse' ? parseAws(bytes) : parseSse(bytes);

export function send(url: string, client: TestClient, ask: SimulatorRequest): Promise<Response> {
  const model = ask.model ?? 'm';
  const body = JSON.stringify(client.body({ ...ask, model }));
  return fetch(url + client.path(model, { stream: ask.stream ?? false }), { method: 'POST', body });
}

export async function observe(
  url: string,
  client: TestClient,
  ask: SimulatorRequest,
): Promise<ObservedAnswer> {
  const response = await send(url, client, ask);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  if (!ask.stream) return client.observe(await response.json());
  return client.observeStream(framesOf(client, await response.bytes()));
}
