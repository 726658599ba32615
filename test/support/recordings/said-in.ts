import type { ChatWire } from '../wire-models.ts';
import { bedrockSaid } from './bedrock-said.ts';
import { chatSaid } from './chat-said.ts';
import { googleSaid } from './google-said.ts';
import { interactionsSaid } from './interactions-said.ts';
import { messagesSaid } from './messages-said.ts';
import type { Recording } from './recording.ts';
import { responsesSaid } from './responses-said.ts';
import type { ReadSaid, Said } from './said.ts';

const readers: Record<ChatWire, ReadSaid> = {
  'openai-chat': chatSaid,
  'openai-responses': responsesSaid,
  'anthropic-messages': messagesSaid,
  'google-generate': googleSaid,
  'google-interactions': interactionsSaid,
  'bedrock-converse': bedrockSaid,
};

export const saidIn = ({ wire, lines }: Recording): Said =>
  readers[wire](lines.map((line) => JSON.parse(line)));
