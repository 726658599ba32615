import { chatDescription } from '../../api/descriptions/chat-description.ts';
import { compactDescription } from '../../api/descriptions/compact-description.ts';
import { completionsDescription } from '../../api/descriptions/completions-description.ts';
import { editsDescription } from '../../api/descriptions/edits-description.ts';
import { embeddingsDescription } from '../../api/descriptions/embeddings-description.ts';
import { imagesDescription } from '../../api/descriptions/images-description.ts';
import { messagesDescription } from '../../api/descriptions/messages-description.ts';
import { moderationsDescription } from '../../api/descriptions/moderations-description.ts';
import { rerankDescription } from '../../api/descriptions/rerank-description.ts';
import { responsesDescription } from '../../api/descriptions/responses-description.ts';
import { speechDescription } from '../../api/descriptions/speech-description.ts';
import {
  transcriptionsDescription,
  translationsDescription,
} from '../../api/descriptions/transcriptions-description.ts';
import { interactionDescriptions } from '../../api/google/interaction-descriptions.ts';
import { quotedPaths } from '../../api/quote/quoted-paths.ts';
import type { DialectEndpoint } from '../../api/quote/read-any-dialect.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { createChatDialect } from '../../translation/protocols/chat-completions/create-chat-dialect.ts';
import { createCompletionsDialect } from '../../translation/protocols/completions/create-completions-dialect.ts';
import { createEmbeddingsDialect } from '../../translation/protocols/embeddings/create-embeddings-dialect.ts';
import { createGoogleEmbeddingsDialect } from '../../translation/protocols/embeddings/create-google-embeddings-dialect.ts';
import { createGoogleDialect } from '../../translation/protocols/google/google-dialect.ts';
import { createEditsDialect } from '../../translation/protocols/images/create-edits-dialect.ts';
import { createImagesDialect } from '../../translation/protocols/images/create-images-dialect.ts';
import { createInteractionsDialect } from '../../translation/protocols/interactions/create-interactions-dialect.ts';
import { createMessagesDialect } from '../../translation/protocols/messages/create-messages-dialect.ts';
import { createModerationsDialect } from '../../translation/protocols/moderations/create-moderations-dialect.ts';
import { createRerankDialect } from '../../translation/protocols/rerank/create-rerank-dialect.ts';
import { createCompactDialect } from '../../translation/protocols/responses/create-compact-dialect.ts';
import { createResponsesDialect } from '../../translation/protocols/responses/create-responses-dialect.ts';
import { createSpeechDialect } from '../../translation/protocols/speech/create-speech-dialect.ts';
import { createTranscriptionDialect } from '../../translation/protocols/transcriptions/create-transcription-dialect.ts';

/** A dialect with its path. `newer`: the path that newer versions of its clients call. */
export type PlacedDialect = DialectEndpoint & { newer?: string; describe: RouteDescription };

/** Creates the dialects with their paths. */
export const createDialects = (): PlacedDialect[] => [
  { path: '/v1/chat/completions', dialect: createChatDialect(), describe: chatDescription },
  { path: '/v1/messages', dialect: createMessagesDialect(), describe: messagesDescription },
  { path: '/v1/responses', dialect: createResponsesDialect(), describe: responsesDescription },
  { path: '/v1/responses/compact', dialect: createCompactDialect(), describe: compactDescription },
  {
    path: '/v1beta/interactions',
    newer: '/v1/interactions',
    dialect: createInteractionsDialect(),
    describe: interactionDescriptions.create,
  },
  { path: '/v1/completions', dialect: createCompletionsDialect(), describe: completionsDescription },
  { path: '/v1/embeddings', dialect: createEmbeddingsDialect(), describe: embeddingsDescription },
  { path: '/v1/images/generations', dialect: createImagesDialect(), describe: imagesDescription },
  { path: '/v1/images/edits', dialect: createEditsDialect(), describe: editsDescription },
  {
    path: '/v1/audio/transcriptions',
    dialect: createTranscriptionDialect('transcriptions'),
    describe: transcriptionsDescription,
  },
  {
    path: '/v1/audio/translations',
    dialect: createTranscriptionDialect('translations'),
    describe: translationsDescription,
  },
  { path: '/v1/audio/speech', dialect: createSpeechDialect(), describe: speechDescription },
  { path: '/v1/rerank', dialect: createRerankDialect(), describe: rerankDescription },
  { path: '/v1/moderations', dialect: createModerationsDialect(), describe: moderationsDescription },
];

/** Creates the dialects of Google's clients. Their paths name the model, so they have routes of their own. */
export const createGoogleDialects = () => ({
  generate: createGoogleDialect({ stream: false }),
  stream: createGoogleDialect({ stream: true }),
  embedOne: createGoogleEmbeddingsDialect('one'),
  embedList: createGoogleEmbeddingsDialect('list'),
});

/** Lists these dialects with their paths. */
export const googleEndpoints = (dialects: ReturnType<typeof createGoogleDialects>): DialectEndpoint[] => [
  { path: quotedPaths.generate, dialect: dialects.generate },
  { path: quotedPaths.stream, dialect: dialects.stream },
  { path: quotedPaths.embedOne, dialect: dialects.embedOne },
  { path: quotedPaths.embedList, dialect: dialects.embedList },
];
