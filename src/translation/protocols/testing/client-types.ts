import { VendorTypes } from './vendor-types.ts';

const openai = 'openai/resources';
const anthropic = '@anthropic-ai/sdk/resources';

/**
 * The published types of the official clients. Types of a beta are apart where they have the names of others.
 */
export const clientTypes = {
  openai: new VendorTypes([
    `${openai}/shared.d.ts`,
    `${openai}/chat/completions/completions.d.ts`,
    `${openai}/completions.d.ts`,
    `${openai}/embeddings.d.ts`,
    `${openai}/responses/responses.d.ts`,
  ]),
  openaiBeta: new VendorTypes([`${openai}/beta/responses/responses.d.ts`, `${openai}/shared.d.ts`]),
  anthropic: new VendorTypes([`${anthropic}/messages/messages.d.ts`, `${anthropic}/shared.d.ts`]),
  anthropicBeta: new VendorTypes([
    `${anthropic}/beta/messages/messages.d.ts`,
    `${anthropic}/messages/messages.d.ts`,
    `${anthropic}/shared.d.ts`,
  ]),
  anthropicModels: new VendorTypes([`${anthropic}/models.d.ts`]),
  google: new VendorTypes(['@google/genai/dist/genai.d.ts']),
};
