import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { type BodyContents, contentsOfBody } from './body-contents.ts';
import { hiddenInJson } from './hidden-in-json.ts';
import { readImageSize } from './image-size.ts';
import type { PartMedia } from './media-in-part.ts';
import { rawInputs } from './raw-inputs.ts';
import { boundSeconds } from './sound-length.ts';
import type { TokenCounter } from './token-counter.ts';
import type { TokenFamily } from './token-family.ts';

export type BoundedRequest = {
  body: { text: string; value: Readonly<Record<string, unknown>> };
  /** The decoded request, if it has been decoded already. */
  canonical?: CanonicalRequest;
};

/** The models that the prompt may go to. */
export type PromptReader = {
  families: readonly TokenFamily[];
  contextWindow: number;
  /** Whether the texts are turns of a conversation. */
  isChat: boolean;
};

/**
 * An upper bound on the tokens of a prompt, for any content and any of its readers. With an exact vocabulary, each string and each name is
 * counted. Without one, or without time, each byte counts as a token. Content that the gateway cannot see is bounded by the window.
 */
export class PromptBound {
  readonly #text: string;
  readonly #counter: Pick<TokenCounter, 'boundTexts'>;
  readonly #contents: BodyContents;
  readonly #hidden: number;

  constructor({ body, canonical }: BoundedRequest, counter: Pick<TokenCounter, 'boundTexts'>) {
    this.#text = body.text;
    this.#counter = counter;
    this.#contents = contentsOfBody(body.value);
    for (const input of canonical ? rawInputs(canonical) : []) this.#contents.texts.add(input);
    this.#hidden = hiddenInJson(body.text, body.value);
  }

  for(reader: PromptReader): MaybeLater<number> {
    const most = reader.contextWindow * this.#contents.prompts;
    return this.#largest(reader, { at: 0, least: 0, most });
  }

  /** Returns the largest value over the families from an index on. */
  #largest(
    reader: PromptReader,
    { at, least, most }: { at: number; least: number; most: number },
  ): MaybeLater<number> {
    const family = reader.families[at];
    if (!family || least >= most) return Math.min(least, most);
    return after(this.#byFamily(family, { isChat: reader.isChat, most }), (tokens) =>
      this.#largest(reader, { at: at + 1, least: Math.max(least, tokens), most }),
    );
  }

  #byFamily(family: TokenFamily, { isChat, most }: { isChat: boolean; most: number }): MaybeLater<number> {
    const { texts, isUnseen, tokens } = this.#contents;
    const beside = tokens + (isChat ? framing(this.#contents, family) : 0) + this.#mediaTokens(family);
    if (isUnseen || beside >= most) return most;
    const byBytes = () => beside + this.#textBytes();
    if (!family.isExact || this.#hidden === Number.POSITIVE_INFINITY) return byBytes();
    const counting = this.#counter.boundTexts(texts, family.vocabulary, most);
    return after(counting, (counted) =>
      counted === undefined ? byBytes() : beside + counted + this.#hidden,
    );
  }

  #mediaTokens({ most }: TokenFamily): number {
    return this.#contents.media.reduce((sum, media) => sum + mostOfMedia(media, most), 0);
  }

  #textBytes(): number {
    return Buffer.byteLength(this.#text) - this.#contents.mediaLength;
  }
}

function framing({ turns, tools, prompts }: BodyContents, { most, turnTokens }: TokenFamily): number {
  const ofTools = tools > 0 ? most.tools + tools * most.tool : 0;
  // Names stand for part of the framing. Prompts in a list have none.
  const ofPrompts = prompts * most.request + (prompts > 1 ? prompts * turnTokens : 0);
  return ofPrompts + turns * most.turn + ofTools;
}

const bytesOf = (base64: string): number => Math.ceil(base64.length * 0.75);

function mostOfMedia(media: PartMedia, most: TokenFamily['most']): number {
  switch (media.kind) {
    case 'image':
      return most.image(media.data === undefined ? undefined : readImageSize(media.data), media.detail);
    case 'audio':
      return most.audio({ seconds: boundSeconds(media), bytes: bytesOf(media.data) });
    case 'document':
      return most.document(media.data === undefined ? undefined : bytesOf(media.data));
    case 'text':
      return 0; // counted with the texts
  }
}
