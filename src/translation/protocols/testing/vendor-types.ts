import { PublishedWords } from './published-words.ts';

const openai = 'openai/resources';
const anthropic = '@anthropic-ai/sdk/resources';

/** The published types of the official clients. Types of a beta are apart where they have the names of others. */
export const vendorTypes = {
  openai: new PublishedWords([
    `${openai}/shared.d.ts`,
    `${openai}/chat/completions/completions.d.ts`,
    `${openai}/completions.d.ts`,
    `${openai}/embeddings.d.ts`,
    `${openai}/responses/responses.d.ts`,
  ]),
  openaiBeta: new PublishedWords([`${openai}/beta/responses/responses.d.ts`, `${openai}/shared.d.ts`]),
  anthropic: new PublishedWords([`${anthropic}/messages/messages.d.ts`, `${anthropic}/shared.d.ts`]),
  anthropicBeta: new PublishedWords([
    `${anthropic}/beta/messages/messages.d.ts`,
    `${anthropic}/messages/messages.d.ts`,
    `${anthropic}/shared.d.ts`,
  ]),
  anthropicModels: new PublishedWords([`${anthropic}/models.d.ts`]),
  google: new PublishedWords(['@google/genai/dist/genai.d.ts']),
};
