import type { SimulatorWire } from '../model/wire.ts';
import { ANTHROPIC_MESSAGES } from '../wires/anthropic-messages.ts';
import { BEDROCK_CONVERSE } from '../wires/bedrock-converse.ts';
import { COHERE_RERANK } from '../wires/cohere-rerank.ts';
import { GOOGLE_EMBEDDINGS } from '../wires/google-embeddings.ts';
import { GOOGLE_GENERATE } from '../wires/google-generate.ts';
import { GOOGLE_INTERACTIONS } from '../wires/google-interactions.ts';
import { OPENAI_CHAT } from '../wires/openai-chat.ts';
import { OPENAI_COMPLETIONS } from '../wires/openai-completions.ts';
import { OPENAI_EMBEDDINGS } from '../wires/openai-embeddings.ts';
import { OPENAI_IMAGE_EDITS } from '../wires/openai-image-edits.ts';
import { OPENAI_IMAGE_GENERATIONS } from '../wires/openai-image-generations.ts';
import { OPENAI_MODERATIONS } from '../wires/openai-moderations.ts';
import { OPENAI_COMPACTIONS, OPENAI_RESPONSES } from '../wires/openai-responses.ts';
import { OPENAI_SPEECH } from '../wires/openai-speech.ts';
import { OPENAI_TRANSCRIPTIONS } from '../wires/openai-transcriptions.ts';

export const WIRES: readonly SimulatorWire[] = [
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  OPENAI_COMPACTIONS,
  OPENAI_COMPLETIONS,
  OPENAI_EMBEDDINGS,
  OPENAI_TRANSCRIPTIONS,
  OPENAI_SPEECH,
  OPENAI_IMAGE_GENERATIONS,
  OPENAI_IMAGE_EDITS,
  OPENAI_MODERATIONS,
  COHERE_RERANK,
  ANTHROPIC_MESSAGES,
  GOOGLE_GENERATE,
  GOOGLE_INTERACTIONS,
  GOOGLE_EMBEDDINGS,
  BEDROCK_CONVERSE,
];
