import { objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

type ValueTest = (value: unknown) => boolean;

/** A property of some values of a field that other wires refuse. */
type Requirement = { isRequired: ValueTest; problem: string };

/** The treatment of a field on other wires. */
export type FieldTreatment = {
  /** True if the value asks only for the default behavior. */
  isIdle?: ValueTest;
  /** True if the value has a form in other protocols, so that it is not one of these fields. */
  isCommon?: ValueTest;
} & (
  | { loss: LossCode; requires?: Requirement }
  | {
      /** The field changes the answer, so that its loss is refused. */
      problem: string;
      /** True if its own wire refuses it too, because the gateway cannot translate the answer. */
      isRefusedEverywhere?: true;
    }
);

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Makes a test for one value. */
const equals =
  (wanted: unknown): ValueTest =>
  (value) =>
    value === wanted;

/** Makes a test for a value that has one of these types, or none. */
const ofType =
  (...types: string[]): ValueTest =>
  (value) =>
    !isObject(value) || value.type == null || (typeof value.type === 'string' && types.includes(value.type));

/** Reports whether a format asks for something other than text. A format without a type is a schema. */
const isOfMedia: ValueTest = (format) =>
  ['image', 'audio', 'video'].includes(textOf(objectOf(format).type) ?? '');

/** Reports whether a list of modalities has only text. */
const isTextOnly: ValueTest = (modalities) =>
  Array.isArray(modalities) && modalities.every((word) => /^text$/i.test(textOf(word) ?? ''));

/** Reports whether a media type asks for a value of an enum. Only this vendor returns it as plain text. */
const isOtherText: ValueTest = (type) => /^text\/(?!plain\b)/i.test(textOf(type) ?? '');

const isCommonFormat = ofType('text', 'json_object', 'json_schema');

const NO_CACHED_CONTENT = 'the chosen model does not have the content that is cached';
const OTHER_FORMAT = "the chosen model's provider does not know this format";
const TEXT_ONLY = 'the chosen model answers in text only';
const OTHER_CHOICE = "the chosen model's provider does not know this choice of a tool";

/**
 * The fields that only their own protocol's providers understand.
 * A field outside this table is dropped without a loss when the request is decoded.
 */
const treatments = {
  messages: {
    cache_control: { loss: 'cache-breakpoint' },
    compaction: { loss: 'context-management' },
    container: { problem: 'the chosen model does not support containers' },
    context_management: { loss: 'context-management', isIdle: isEmpty },
    // Diagnostics do not change the answer.
    diagnostics: { loss: 'opaque-block', isIdle: isObject },
    fallbacks: { loss: 'opaque-block', isIdle: isEmptyList },
    inference_geo: {
      problem: 'the chosen model does not support a choice of region',
      isIdle: equals('global'),
    },
    output_config: { problem: OTHER_FORMAT, isCommon: (value) => isCommonFormat(objectOf(value).format) },
    output_format: { problem: OTHER_FORMAT, isCommon: isCommonFormat },
    thinking: {
      loss: 'thinking-budget',
      isCommon: ofType('enabled', 'adaptive', 'between_tools', 'disabled'),
    },
    mcp_servers: { problem: 'the chosen model cannot use MCP servers', isIdle: isEmptyList },
    speed: { loss: 'speed', isIdle: equals('standard') },
    user_profile_id: { loss: 'user-hint' },
  },
  'chat-completions': {
    audio: { loss: 'opaque-block' },
    logit_bias: { loss: 'logit-bias', isIdle: isEmpty },
    metadata: { loss: 'metadata', isIdle: isEmpty },
    modalities: { problem: TEXT_ONLY, isIdle: isTextOnly, isRefusedEverywhere: true },
    moderation: { loss: 'moderation' },
    prediction: { loss: 'prediction' },
    prompt_cache_options: { loss: 'cache-retention', isIdle: isEmpty },
    response_format: { problem: OTHER_FORMAT, isCommon: isCommonFormat },
    store: { loss: 'store', isIdle: equals(false) },
    tool_choice: {
      problem: OTHER_CHOICE,
      isCommon: ofType('none', 'auto', 'required', 'function', 'custom', 'allowed_tools'),
    },
    web_search_options: { problem: 'the chosen model does not search the web' },
  },
  responses: {
    context_management: { loss: 'context-management', isIdle: isEmptyList },
    max_tool_calls: { loss: 'max-tool-calls' },
    moderation: { loss: 'moderation' },
    prompt_cache_options: {
      loss: 'cache-retention',
      isIdle: isEmpty,
      requires: {
        // Elsewhere the client would pay for an answer that it did not ask for.
        isRequired: (value) => objectOf(value).prewarm === true,
        problem: "the chosen model's provider cannot prepare its cache without an answer",
      },
    },
    text: { problem: OTHER_FORMAT, isCommon: (value) => isCommonFormat(objectOf(value).format) },
    truncation: { loss: 'truncation', isIdle: equals('disabled') },
  },
  // Tokens have other numbers at other models.
  completions: { logit_bias: { loss: 'logit-bias', isIdle: isEmpty } },
  google: {
    audioTimestamp: { loss: 'opaque-block', isIdle: equals(false) },
    cachedContent: { problem: NO_CACHED_CONTENT, isIdle: equals('') },
    enableEnhancedCivicAnswers: { loss: 'moderation', isIdle: equals(false) },
    imageConfig: { loss: 'image-generation', isIdle: isEmpty },
    labels: { loss: 'metadata', isIdle: isEmpty },
    mediaResolution: { loss: 'image-detail' },
    responseMimeType: { problem: OTHER_FORMAT, isCommon: (value) => !isOtherText(value) },
    responseModalities: { problem: TEXT_ONLY, isIdle: isTextOnly },
    safetySettings: { loss: 'moderation', isIdle: isEmptyList },
    speechConfig: { problem: TEXT_ONLY },
  },
  interactions: {
    agent: { problem: "the chosen model's provider has no agents" },
    cached_content: { problem: NO_CACHED_CONTENT, isIdle: equals('') },
    environment: { problem: "the chosen model's provider has no environments" },
    labels: { loss: 'metadata', isIdle: isEmpty },
    response_modalities: { problem: TEXT_ONLY, isIdle: isTextOnly },
    response_format: {
      problem: TEXT_ONLY,
      isCommon: (value) => !(Array.isArray(value) ? value : [value]).some(isOfMedia),
    },
    safety_settings: { loss: 'moderation', isIdle: isEmptyList },
    webhook_config: { problem: "the chosen model's provider calls no webhooks" },
  },
  bedrock: {},
} satisfies Record<ProtocolId, Record<string, FieldTreatment>>;

/** Returns the names of the fields that only the protocol has. */
export const ownFieldNames = (protocol: ProtocolId): string[] => Object.keys(treatments[protocol]);

/** Returns the treatment of a protocol's field. An opaque block can have fields outside the table. */
export const treatmentOf = (protocol: ProtocolId, name: string): FieldTreatment =>
  lookUp<FieldTreatment>(treatments[protocol], name) ?? { loss: 'opaque-block' };
