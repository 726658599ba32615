import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { freeformInputSchema } from '../encoding/flat-tool.ts';
import { standInFor } from '../encoding/stand-in-for.ts';
import {
  containers,
  EARLIER_SOUND,
  knownPartTypes,
  STORED_PROMPT,
  textMembers,
  toolMembers,
} from './body-members.ts';
import { mediaInPart, NOWHERE, type PartFields, type PartMedia } from './media-in-part.ts';
import { TextBag } from './text-bag.ts';

/** Everything in a body that a model may be given, in any dialect. */
export type BodyContents = {
  /** All strings and member names. Vendors may start to read fields that they ignore today. */
  texts: TextBag;
  media: PartMedia[];
  /** True if the body refers to content whose length only the vendor knows. */
  isUnseen: boolean;
  /** The length of the media data in the body. Text documents count as text. */
  mediaLength: number;
  /** The bytes by which decoded text documents are longer than their data in the body. */
  decodedBytes: number;
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

/** Members through which a part of an unknown kind can refer to external content. */
const ELSEWHERE = /"(?:[a-z_]*(?:url|uri)|[a-z_]*file_ids?)":/i;

/** The tool that a freeform tool becomes on a wire without them. */
const FREEFORM = { description: 'The text must follow this format:', parameters: freeformInputSchema };

type Nested = PartFields | readonly unknown[];

const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;
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
    decodedBytes: 0,
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
    if (typeof member === 'string') {
      this.contents.turns += 1;
      this.contents.texts.add(member);
    } else if (isOfTokens(member)) this.contents.tokens += member.length;
    else this.#addList(member);
  }

  /** Adds a list of turns, or of prompts, which are texts or lists of tokens. */
  #addList(list: readonly unknown[]): void {
    this.contents.turns += list.length;
    const [first] = list;
    if (typeof first === 'string' || isOfTokens(first)) this.contents.prompts = list.length;
    for (const element of list) {
      if (isOfTokens(element)) this.contents.tokens += element.length;
      else this.#addElement(element);
    }
  }

  #addElement(element: unknown): void {
    if (typeof element === 'string') this.contents.texts.add(element);
    else if (isObject(element)) this.#addPart(element);
    else this.contents.texts.add(JSON.stringify(element));
  }

  #addPart(part: PartFields): void {
    if (!knownPartTypes.has(part.type)) {
      this.#addUnknownPart(part);
      return;
    }
    const found = mediaInPart(part);
    if (found) this.#addMedia(found.media, lengthAt(part, found.place));
    this.#addMembers(part, found?.place ?? NOWHERE);
  }

  #addUnknownPart(part: PartFields): void {
    const text = JSON.stringify(part);
    this.contents.texts.add(text);
    this.contents.isUnseen ||= ELSEWHERE.test(text);
    for (const name of toolMembers) this.#addTools(listOf(part[name]));
    const { definition } = objectOf(part['tool']);
    if (definition !== undefined) this.#addTools([definition]);
  }

  /** Adds all members but the one at `mediaPlace`, which is not text. */
  #addMembers(fields: PartFields, mediaPlace: readonly string[]): void {
    const [holder, ...inside] = mediaPlace;
    const { texts } = this.contents;
    for (const name in fields) {
      const member = fields[name];
      texts.add(name);
      if (name === holder) {
        if (inside.length > 0 && isObject(member)) this.#addMembers(member, inside);
      } else if (typeof member === 'string') texts.add(member);
      else if (isNested(member)) this.#addNested(name, member);
      else if (member != null) texts.add(String(member));
    }
  }

  #addNested(name: string, member: Nested): void {
    this.contents.isUnseen ||= name === EARLIER_SOUND;
    if (!containers.has(name)) this.contents.texts.add(JSON.stringify(member));
    else if (isObject(member)) this.#addMembers(member, NOWHERE);
    else for (const element of member) this.#addElement(element);
  }

  /**
   * Adds an option. Options are numbers, words of the protocol, or JSON that a vendor may write into the
   * prompt.
   */
  #addOption(name: string, member: unknown): void {
    if (typeof member === 'string') this.contents.texts.add(member);
    if (!isNested(member)) return;
    if (toolMembers.has(name) && Array.isArray(member)) {
      this.#addTools(member);
      return;
    }
    this.contents.texts.add(JSON.stringify(member));
    this.contents.isUnseen ||= name === STORED_PROMPT;
  }

  #addTools(tools: readonly unknown[]): void {
    for (const tool of tools) {
      this.contents.tools.push(tool);
      if (isObject(tool)) this.contents.standIns.push(...standInsFor(tool));
    }
  }

  /** Adds media with the length of their data in the body. */
  #addMedia(media: PartMedia, sentLength: number): void {
    if (media.kind === 'text') {
      this.contents.texts.add(media.text);
      this.contents.decodedBytes += Math.max(0, Buffer.byteLength(media.text) - sentLength);
      return;
    }
    this.contents.mediaLength += Math.min(media.data?.length ?? 0, sentLength);
    this.contents.media.push(media);
  }
}

/** Returns the length of the text at a place, or 0 if there is none. */
function lengthAt(part: PartFields, place: readonly string[]): number {
  const found = place.reduce<unknown>((holder, name) => objectOf(holder)[name], part);
  return textOf(found)?.length ?? 0;
}

function standInsFor(tool: JsonObject): object[] {
  const standIn = standInFor('messages', tool) ?? standInFor('responses', tool);
  if (standIn) return [standIn];
  return tool['type'] === 'custom' ? [FREEFORM] : [];
}
