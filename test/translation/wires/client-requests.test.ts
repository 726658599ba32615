import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { acceptedOrError } from '../../../src/base/errors/accepted-or-error.ts';
import { parseBodyAtOnce } from '../../../src/base/json/parse-body.ts';
import { projectRoot } from '../../../src/base/lib/testing/project-root.ts';
import type { CanonicalRequest } from '../../../src/translation/canonical/request.ts';
import type { DialectCodec } from '../../../src/translation/contract/dialect-codec.ts';
import { createChatDialectCodec } from '../../../src/translation/protocols/chat-completions/create-chat-dialect-codec.ts';
import { createMessagesDialectCodec } from '../../../src/translation/protocols/messages/messages-dialect-codec.ts';
import { createResponsesDialectCodec } from '../../../src/translation/protocols/responses/responses-dialect-codec.ts';
import type { Json } from '../../support/call.ts';
import { recordedRequests } from '../../support/recordings/recorded-requests.ts';

/** `turns`: a role and the kinds of its parts. `choice` and `format` are absent if the request has none. */
type RequestFacts = { system: number; turns: string[]; tools: string[]; choice?: string; format?: string };

const codecs: Record<string, DialectCodec> = {
  chat: createChatDialectCodec(),
  messages: createMessagesDialectCodec(),
  responses: createResponsesDialectCodec(),
};

const root = join(projectRoot, 'test', 'fixtures', 'requests');

function decode(dialect: string, value: Json): CanonicalRequest {
  const body = acceptedOrError(parseBodyAtOnce(JSON.stringify(value)));
  return acceptedOrError(codecs[dialect]!.decodeRequest(body));
}

const factsOf = ({ system, turns, tools, toolChoice, format }: CanonicalRequest): RequestFacts => ({
  system: system.length,
  turns: turns.map(({ role, parts }) => `${role}: ${parts.map(({ kind }) => kind).join(' ')}`),
  tools: tools.map(({ kind }) => kind),
  ...(toolChoice && { choice: toolChoice.kind }),
  ...(format && { format: format.kind }),
});

describe.each(Object.keys(codecs))('a request of a client in %s', (dialect) => {
  const files = [...new Glob('*.json').scanSync(join(root, dialect))].sort();
  test.each(files)('is decoded completely: %s', (file) => {
    const { facts, body } = JSON.parse(readFileSync(join(root, dialect, file), 'utf8'));
    expect(factsOf(decode(dialect, body))).toEqual(facts);
  });

  for (const [client, bodies] of recordedRequests(dialect))
    test(`is decoded as ${client} sends it`, () => {
      for (const body of bodies) expect(decode(dialect, body).turns.length).toBeGreaterThan(0);
    });
});
