import { describe, expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { ORDINARY_TIERS, tierPrice } from '../canonical/service-tiers.ts';
import { effortOrder } from '../encoding/efforts.ts';
import { createChatDialect } from './chat-completions/create-chat-dialect.ts';
import { isFailedFinish, readStop } from './chat-completions/stop.ts';
import { readStop as readCompletionStop } from './completions/stop.ts';
import { googleWire } from './google/google-wire.ts';
import { isFailedAnswer, stopOf } from './google/stop.ts';
import { createMessagesDialect } from './messages/create-messages-dialect.ts';
import { refusalOf as messagesError } from './messages/refusal-of.ts';
import { decodeStop as decodeMessagesStop } from './messages/stop.ts';
import { createResponsesDialect } from './responses/create-responses-dialect.ts';
import { refusalOf as responsesError } from './responses/refusal-of.ts';
import { decodeStop as decodeResponsesStop } from './responses/stop.ts';
import { clientTypes } from './testing/client-types.ts';

// Each value of an enumeration that changes what the gateway does has a row in one of its tables, or is named
// here.

const { openai, openaiBeta, anthropic, anthropicBeta, google } = clientTypes;
const both = (plain: string[], beta: string[]): string[] => [...new Set([...plain, ...beta])];

describe('each reason for which a vendor ends an answer', () => {
  /** Values that a translated answer can only report as an ordinary end. */
  const plain = {
    // Only a request on the vendor's own wire can ask for it.
    messages: ['compaction'],
    // Steering needs a socket, and several agents the vendor's own wire.
    responses: ['max_messages', 'steered'],
    google: ['FINISH_REASON_UNSPECIFIED', 'LANGUAGE', 'OTHER', 'IMAGE_OTHER', 'NO_IMAGE'],
  };
  const unknownIn = (values: string[], kindOf: (value: string) => string): string[] =>
    values.filter((value) => kindOf(value) === 'other');

  test('of messages', () => {
    const values = both(anthropic.valuesOf('StopReason'), anthropicBeta.valuesOf('BetaStopReason'));
    expect(values.length).toBeGreaterThan(6);
    expect(unknownIn(values, (value) => decodeMessagesStop(value, undefined).kind)).toEqual(plain.messages);
  });

  test('of chat completions and completions', () => {
    const values = openai.valuesOf('ChatCompletion.Choice', 'finish_reason');
    expect(values.length).toBeGreaterThan(4);
    const said = { calls: false, refusal: false };
    expect(unknownIn(values, (value) => (isFailedFinish(value) ? '' : readStop(value, said).kind))).toEqual(
      [],
    );
    const others = openai.valuesOf('CompletionChoice', 'finish_reason');
    expect(others.length).toBeGreaterThan(2);
    expect(unknownIn(others, (value) => readCompletionStop(value).kind)).toEqual([]);
  });

  test('of responses', () => {
    const values = both(
      openai.valuesOf('Response.IncompleteDetails', 'reason'),
      openaiBeta.valuesOf('BetaResponse.IncompleteDetails', 'reason'),
    );
    const kindOf = (reason: string) =>
      decodeResponsesStop(
        { status: 'incomplete', incomplete_details: { reason } },
        {
          hasCall: false,
          hasRefusal: false,
        },
      ).kind;
    expect(values.length).toBeGreaterThan(1);
    expect(unknownIn(values, kindOf).toSorted()).toEqual(plain.responses);
  });

  test('of Google', () => {
    const values = google.valuesOf('FinishReason');
    expect(values.length).toBeGreaterThan(15);
    const kindOf = (value: string) => (isFailedAnswer(value) ? '' : stopOf(value, false).kind);
    expect(unknownIn(values, kindOf)).toEqual(plain.google);
  });
});

describe('each error code of a vendor', () => {
  /**
   * The code of the gateway's answer.
   * Codes of the operator's own account and of other endpoints mean a failed provider.
   */
  const messages: Record<string, string> = {
    invalid_request_error: 'invalid_request',
    rate_limit_error: 'upstream_overloaded',
    overloaded_error: 'upstream_overloaded',
    timeout_error: 'upstream_timeout',
    authentication_error: 'upstream_unavailable',
    billing_error: 'upstream_unavailable',
    permission_error: 'upstream_unavailable',
    not_found_error: 'upstream_unavailable',
    api_error: 'upstream_unavailable',
    conflict_error: 'upstream_unavailable',
    memory_precondition_failed_error: 'upstream_unavailable',
    memory_path_conflict_error: 'upstream_unavailable',
  };
  const invalid = [
    'invalid_image',
    'invalid_image_format',
    'invalid_base64_image',
    'invalid_image_url',
    'image_too_large',
    'image_too_small',
    'image_parse_error',
    'invalid_image_mode',
    'image_file_too_large',
    'unsupported_image_media_type',
    'empty_image_file',
    'failed_to_download_image',
    'image_file_not_found',
  ];
  const responses: Record<string, string> = {
    ...Object.fromEntries(invalid.map((code) => [code, 'invalid_request'])),
    invalid_prompt: 'content_filter',
    bio_policy: 'content_filter',
    misalignment_policy_violation: 'content_filter',
    image_content_policy_violation: 'content_filter',
    rate_limit_exceeded: 'upstream_overloaded',
    vector_store_timeout: 'upstream_timeout',
    // The operator's account decides where data stays.
    server_error: 'upstream_unavailable',
    data_residency_mismatch: 'upstream_unavailable',
  };

  test('of messages has one of the gateway', () => {
    const codes = anthropic.valuesOf('ErrorType');
    expect(codes.map((type) => [type, messagesError({ type, message: 'x' }).code])).toEqual(
      codes.map((type) => [type, messages[type] ?? 'a row is missing']) as [string, never][],
    );
  });

  test('of responses has one of the gateway', () => {
    const codes = both(
      openai.valuesOf('ResponseError', 'code'),
      openaiBeta.valuesOf('BetaResponseError', 'code'),
    );
    expect(codes.length).toBeGreaterThan(18);
    expect(codes.map((code) => [code, responsesError({ code, message: 'x' }).code])).toEqual(
      codes.map((code) => [code, responses[code] ?? 'a row is missing']) as [string, never][],
    );
  });

  test('of Google is a blocked prompt', () => {
    const reasons = google.valuesOf('BlockedReason');
    expect(reasons.length).toBeGreaterThan(6);
    for (const blockReason of reasons) {
      const decode = googleWire.streamDecoder();
      const events = decode({ data: JSON.stringify({ promptFeedback: { blockReason } }) });
      expect(
        events.flatMap((event) => (event.type === 'response-error' ? [event.refusal.code] : [])),
      ).toEqual(['content_filter']);
    }
  });
});

test('each service tier is priced, or one of the ordinary ones', () => {
  const tiers = both(openai.valuesOf('ServiceTier'), openaiBeta.valuesOf('BetaServiceTier'));
  expect(tiers.length).toBeGreaterThan(6);
  const ofChat = openai.valuesOf('ChatCompletionCreateParamsBase', 'service_tier');
  // The value is for a customer's own capacity, which its vendor bills apart.
  const apart = ['scale'];
  expect(
    both(tiers, ofChat).filter(
      (tier) => tierPrice(tier) === undefined && !ORDINARY_TIERS.has(tier) && !apart.includes(tier),
    ),
  ).toEqual([]);
  expect(anthropic.valuesOf('MessageCreateParamsBase', 'service_tier')).toEqual(['auto', 'standard_only']);
  // This wire gets no tier, so that a tier is lost or refused in a strict request.
  expect(google.valuesOf('ServiceTier')).toEqual(['unspecified', 'flex', 'standard', 'priority']);
});

test('each effort has its place in the order of efforts', () => {
  const known: readonly string[] = effortOrder;
  const efforts = [
    ...openai.valuesOf('ReasoningEffort'),
    ...anthropic.valuesOf('OutputConfig', 'effort'),
    ...anthropicBeta.valuesOf('BetaOutputConfig', 'effort'),
    ...google.valuesOf('ThinkingLevel').map((level) => level.toLowerCase()),
  ];
  expect(efforts.length).toBeGreaterThan(15);
  expect(efforts.filter((effort) => !known.includes(effort))).toEqual([]);
});

describe('each value that a request can have is accepted', () => {
  const chat = createChatDialect();
  const messages = createMessagesDialect();
  const responses = createResponsesDialect();
  const read = (dialect: Pick<typeof chat, 'read'>, fields: Record<string, unknown>) => {
    const body = acceptedOrError(parseBodyAtOnce(JSON.stringify({ model: 'm', ...fields })));
    const request = dialect.read(body);
    return request instanceof Refusal ? request.message : '';
  };
  const turns = [{ role: 'user', content: 'hi' }];

  test('ways of thinking, and what is shown of it', () => {
    const types = both(
      [
        'ThinkingConfigEnabled',
        'ThinkingConfigAdaptive',
        'ThinkingConfigDisabled',
        'ThinkingConfigBetweenTools',
      ].flatMap((type) => anthropic.valuesOf(type, 'type')),
      [],
    );
    expect(types.toSorted()).toEqual(['adaptive', 'between_tools', 'disabled', 'enabled']);
    const displays = anthropicBeta.valuesOf('BetaThinkingConfigAdaptive', 'display');
    expect(displays.length).toBeGreaterThan(1);
    for (const type of types)
      for (const display of type === 'adaptive' ? displays : [undefined])
        expect(
          read(messages, {
            max_tokens: 4_000,
            messages: turns,
            thinking: { type, display, ...(type === 'enabled' && { budget_tokens: 1_024 }) },
          }),
        ).toBe('');
  });

  test('choices of a tool', () => {
    const tools = {
      chat: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      messages: [{ name: 'f', input_schema: { type: 'object' } }],
      responses: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
    };
    for (const type of ['ToolChoiceAuto', 'ToolChoiceAny', 'ToolChoiceTool', 'ToolChoiceNone'].flatMap(
      (each) => anthropic.valuesOf(each, 'type'),
    ))
      expect(
        read(messages, {
          max_tokens: 9,
          messages: turns,
          tools: tools.messages,
          tool_choice: { type, ...(type === 'tool' && { name: 'f' }) },
        }),
      ).toBe('');
    for (const choice of openai.valuesOf('ToolChoiceOptions')) {
      expect(read(chat, { messages: turns, tools: tools.chat, tool_choice: choice })).toBe('');
      expect(read(responses, { input: 'hi', tools: tools.responses, tool_choice: choice })).toBe('');
    }
  });

  test('roles of a turn', () => {
    const roles = openai.valuesOf('ChatCompletionRole');
    expect(roles.toSorted()).toEqual(['assistant', 'developer', 'function', 'system', 'tool', 'user']);
    for (const role of roles) {
      const own = { tool_call_id: 'c', name: 'f', content: 'hi' };
      expect(read(chat, { messages: [...turns, { role, ...own }] })).toBe('');
    }
  });
});
