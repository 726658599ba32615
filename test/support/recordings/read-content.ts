import type { ChatWire } from '../wire-models.ts';
import type { AnswerContent, ReadContent } from './answer-content.ts';
import { readBedrockContent } from './read-bedrock-content.ts';
import { readChatContent } from './read-chat-content.ts';
import { readGoogleContent } from './read-google-content.ts';
import { readInteractionsContent } from './read-interactions-content.ts';
import { readMessagesContent } from './read-messages-content.ts';
import { readResponsesContent } from './read-responses-content.ts';
import type { Recording } from './recording.ts';

const readers: Record<ChatWire, ReadContent> = {
  'openai-chat': readChatContent,
  'openai-responses': readResponsesContent,
  'anthropic-messages': readMessagesContent,
  'google-generate': readGoogleContent,
  'google-interactions': readInteractionsContent,
  'bedrock-converse': readBedrockContent,
};

export const readContent = ({ wire, lines }: Recording): AnswerContent =>
  readers[wire](lines.map((line) => JSON.parse(line)));
