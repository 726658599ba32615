import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import type { ListedRequest } from '../../../src/console/dashboard/request-schema.ts';
import type { DialectId } from '../../app/chat-endpoints.ts';
import { chatRequest } from './chat-request.ts';
import type { Turn } from './conversation.ts';
import { emptyDraft } from './draft.ts';
import { geminiRequest } from './gemini-request.ts';
import { messagesRequest } from './messages-request.ts';
import { type Json, listOf } from './request-json.ts';
import { assistantTurn, type RequestReader } from './request-reader.ts';
import { responsesRequest } from './responses-request.ts';

/** A request as the playground shows it, and the members of its body that the playground does not have. */
export type ReadRequest = { content: PromptContent; dropped: readonly string[] };

const readers: Readonly<Record<DialectId, RequestReader>> = {
  messages: messagesRequest,
  chat: chatRequest,
  responses: responsesRequest,
  gemini: geminiRequest,
};

/** The members that are read in every dialect. */
const sharedMembers = ['model', 'tools', 'temperature', 'stream'];

/**
 * Reads the body of a request. The last message of the user becomes the draft, so that it can be sent again.
 * Clients of Gemini name the model and the stream in the path, which the record has.
 */
export function readRequest(
  dialect: DialectId,
  text: string,
  record: Pick<ListedRequest, 'model' | 'stream'>,
): ReadRequest {
  const body = JSON.parse(text) as Json;
  const reader = readers[dialect];
  const turns = joinTurns(reader.turns(body));
  const lastTurn = turns.at(-1);
  const isDraft = lastTurn?.role === 'user' && lastTurn.images.length === 0;
  const readMembers = [...sharedMembers, ...reader.members];
  return {
    content: {
      model: asText(body.model ?? record.model),
      dialect,
      settings: { ...settingsOf(body, reader), stream: record.stream },
      turns: isDraft ? turns.slice(0, -1) : turns,
      text: isDraft ? lastTurn.text : '',
    },
    dropped: [
      ...Object.keys(body).filter((name) => !readMembers.includes(name)),
      ...(reader.partsWithoutField?.(body) ?? []),
    ],
  };
}

function settingsOf(body: Json, reader: RequestReader): PromptContent['settings'] {
  const { store, ...others } = reader.settings(body);
  const texts = Object.entries(others).map(([name, value]) => [name, asText(value)]);
  return {
    ...emptyDraft.settings,
    maxTokens: '',
    temperature: asText(body.temperature),
    ...Object.fromEntries(texts),
    tools: listOf(body.tools).length > 0 ? asText(body.tools) : '',
    store: store === true,
  };
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** Joins neighbours of one role: the results of several calls, and the calls of one answer. */
function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === 'tool' && turn.role === 'tool')
      joined[joined.length - 1] = { role: 'tool', results: [...last.results, ...turn.results] };
    else if (last?.role === 'assistant' && turn.role === 'assistant')
      joined[joined.length - 1] = assistantTurn(last.text || turn.text, [...last.calls, ...turn.calls]);
    else joined.push(turn);
  }
  return joined;
}
