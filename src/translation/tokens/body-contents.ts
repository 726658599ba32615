import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { freeformInputSchema } from '../encoding/flat-tool.ts';
import { standInFor } from '../encoding/stand-in-for.ts';
import { mediaInPart, type PartFields, type PartMedia } from './media-in-part.ts';
import { TextBag } from './text-bag.ts';

/** Everything in a body that a model may be given, in any dialect. */
export type BodyContents = {
  /** All strings and member names. Vendors may start to read fields that they ignore today. */
  texts: TextBag;
  media: PartMedia[];
  /** True if the body refers to content whose length only the vendor knows. */
  isUnseen: boolean;
  /** The length of the media data in the body. */
  mediaLength: number;
  /** The tokens of prompts that are given as tokens. */
  tokens: number;
  turns: number;
  /** The tools, which vendors write out differently. */
  tools: unknown[];
  /** The texts that replace a vendor's own tools, or freeform ones, on a wire without them. */
  standIns: object[];
  /** The number of independent prompts, each with its own window. */
  prompts: number;
};

/**
 * Members that hold the conversation, in all dialects.
 * Strings in them are read as they are, and so are their parts.
 */
// biome-ignore format: a line for each group
const textMembers: ReadonlySet<string> = new Set([
  'system', 'instructions', 'messages', 'input', 'prompt', 'contents',
]);

/** Members of turns and parts that hold further parts. The content of any other member is counted as JSON. */
// biome-ignore format: a line for each group
const containers: ReadonlySet<string> = new Set([
  'content', 'tool_calls', 'function', 'custom', 'source', 'summary', 'output',
  'image_url', 'file', 'input_audio', 'parts', 'inlineData', 'functionResponse',
]);

/** Kinds of parts with known members. Any other kind is counted as JSON. */
// biome-ignore format: a line for each group
const knownTypes: ReadonlySet<unknown> = new Set([
  undefined, 'message', 'text', 'input_text', 'output_text', 'refusal', 'summary_text', 'reasoning_text',
  'reasoning', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'function', 'custom',
  'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output',
  'image', 'document', 'image_url', 'file', 'input_audio', 'input_image', 'input_file',
]);

/** Members through which a part of an unknown kind can refer to external content. */
const ELSEWHERE = /"(?:[a-z_]*(?:url|uri)|[a-z_]*file_ids?)":/i;

/** Reports whether a value is an object or a list. */
const isNested = (value: unknown): value is PartFields => typeof value === 'object' && value !== null;
const isOfTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && typeof value[0] === 'number' && value.every((token) => typeof token === 'number');

/** Collects the contents of a body. Media are kept apart, and everything else is text. */
export function contentsOfBody(value: PartFields): BodyContents {
  const reader = new ContentsReader();
  reader.readBody(value);
  return reader.contents;
}

class ContentsReader {
  readonly contents: BodyContents = {
    texts: new TextBag(),
    media: [],
    isUnseen: false,
    mediaLength: 0,
    tokens: 0,
    turns: 0,
    tools: [],
    standIns: [],
    prompts: 1,
  };

  readBody(value: PartFields): void {
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      this.contents.texts.add(name);
      if (textMembers.has(name) && (typeof member === 'string' || Array.isArray(member)))
        this.#addText(member);
      else this.#addOption(name, member);
    }
  }

  #addText(member: string | readonly unknown[]): void {
    const { contents } = this;
    if (typeof member === 'string') {
      contents.turns += 1;
      contents.texts.add(member);
      return;
    }
    if (isOfTokens(member)) {
      contents.tokens += member.length;
      return;
    }
    contents.turns += member.length;
    const [first] = member;
    if (typeof first === 'string' || isOfTokens(first)) contents.prompts = member.length;
    for (const element of member) {
      if (isOfTokens(element)) contents.tokens += element.length;
      else this.#addElement(element);
    }
  }

  #addElement(element: unknown): void {
    if (typeof element === 'string') this.contents.texts.add(element);
    else if (isObject(element)) this.#addPart(element);
    else this.contents.texts.add(JSON.stringify(element));
  }

  #addPart(part: PartFields): void {
    if (!knownTypes.has(part.type)) {
      this.#addUnknownPart(part);
      return;
    }
    const found = mediaInPart(part);
    if (found) this.#addMedia(found.media);
    this.#addMembers(part, found?.place ?? NOWHERE);
  }

  #addUnknownPart(part: PartFields): void {
    const text = JSON.stringify(part);
    this.contents.texts.add(text);
    this.contents.isUnseen ||= ELSEWHERE.test(text);
    for (const name of TOOLS) this.#addTools(listOf(part[name]));
    const { definition } = objectOf(part['tool']);
    if (definition !== undefined) this.#addTools([definition]);
  }

  /** Adds all members but the one at `except`, which is not text. */
  #addMembers(fields: PartFields, [except, ...inside]: readonly string[]): void {
    const { texts } = this.contents;
    for (const name in fields) {
      const member = fields[name];
      texts.add(name);
      if (name === except) {
        if (inside.length > 0 && isNested(member)) this.#addMembers(member, inside);
      } else if (typeof member === 'string') texts.add(member);
      else if (isNested(member)) this.#addNested(name, member);
      else if (member != null) texts.add(String(member));
    }
  }

  #addNested(name: string, member: PartFields): void {
    this.contents.isUnseen ||= name === EARLIER_SOUND;
    if (!containers.has(name)) this.contents.texts.add(JSON.stringify(member));
    else if (!Array.isArray(member)) this.#addMembers(member, NOWHERE);
    else for (const element of member) this.#addElement(element);
  }

  /**
   * Adds an option. Options are numbers, words of the protocol, or JSON that a
   * vendor may write into the prompt.
   */
  #addOption(name: string, member: unknown): void {
    const { contents } = this;
    if (typeof member === 'string') contents.texts.add(member);
    if (!isNested(member)) return;
    if (TOOLS.has(name) && Array.isArray(member)) {
      this.#addTools(member);
      return;
    }
    contents.texts.add(JSON.stringify(member));
    contents.isUnseen ||= name === KEPT_TEMPLATE;
  }

  #addTools(tools: readonly unknown[]): void {
    for (const tool of tools) {
      this.contents.tools.push(tool);
      if (isObject(tool)) this.contents.standIns.push(...standInsFor(tool));
    }
  }

  #addMedia(media: PartMedia): void {
    const { contents } = this;
    contents.mediaLength += media.data?.length ?? 0;
    if (media.kind === 'text') contents.texts.add(Buffer.from(media.data, 'base64').toString());
    else contents.media.push(media);
  }
}

const FREEFORM = { description: 'The text must follow this format:', parameters: freeformInputSchema };

function standInsFor(tool: JsonObject): object[] {
  const standIn = standInFor('messages', tool) ?? standInFor('responses', tool);
  if (standIn) return [standIn];
  return tool['type'] === 'custom' ? [FREEFORM] : [];
}

const NOWHERE: readonly string[] = [];
const TOOLS: ReadonlySet<string> = new Set(['tools', 'functions']);

/** A prompt that is not text refers to a prompt that the vendor stores. */
const KEPT_TEMPLATE = 'prompt';
/** An earlier audio answer, by its id. */
const EARLIER_SOUND = 'audio';
