import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { type BodyContents, contentsOfBody } from './body-contents.ts';
import { hiddenInJson } from './hidden-in-json.ts';
import { maxNonTextTokens } from './max-non-text-tokens.ts';
import type { TextBounder } from './token-counter.ts';
import type { TokenFamily } from './token-families.ts';
import { toolBytes } from './tool-bytes.ts';
import { uncompactInputs } from './uncompact-inputs.ts';
import { type ToolForm, writtenTools } from './written-tools.ts';

type BoundedRequest = {
  body: { text: string; value: Readonly<Record<string, unknown>> };
  /** The decoded request, if it has been decoded already. */
  canonical?: CanonicalRequest;
};

/** The models that the prompt may go to. */
export type PromptReader = {
  families: readonly TokenFamily[];
  contextWindow: number;
  /** True if the texts are turns of a conversation. */
  isChat: boolean;
};

const NO_TOOLS: readonly string[] = [];

/**
 * An upper bound on the tokens of a prompt, for any content and any of its readers. With an exact vocabulary,
 * each string and each name is counted, and each tool in the vendor's form. Without one, or without time,
 * each byte counts as a token. Content that the gateway cannot see is bounded by the window.
 */
export class PromptBound {
  readonly #text: string;
  readonly #counter: TextBounder;
  readonly #contents: BodyContents;
  readonly #hidden: number;
  readonly #written = new Map<ToolForm, readonly string[] | undefined>();

  constructor({ body, canonical }: BoundedRequest, counter: TextBounder) {
    this.#text = body.text;
    this.#counter = counter;
    this.#contents = contentsOfBody(body.value);
    for (const input of canonical ? uncompactInputs(canonical.turns) : []) this.#contents.texts.add(input);
    this.#hidden = hiddenInJson(body.text, body.value);
  }

  /** Returns the bound for models that may read the prompt. */
  for(reader: PromptReader): MaybeLater<number> {
    const limit = reader.contextWindow * this.#contents.prompts;
    return this.#largest(reader, { index: 0, largest: 0, limit });
  }

  /** Returns the largest bound over the families from an index on, but no more than `limit`. */
  #largest(
    reader: PromptReader,
    { index, largest, limit }: { index: number; largest: number; limit: number },
  ): MaybeLater<number> {
    const family = reader.families[index];
    if (!family || largest >= limit) return Math.min(largest, limit);
    return andThen(this.#byFamily(family, { isChat: reader.isChat, limit }), (tokens) =>
      this.#largest(reader, { index: index + 1, largest: Math.max(largest, tokens), limit }),
    );
  }

  #byFamily(family: TokenFamily, { isChat, limit }: { isChat: boolean; limit: number }): MaybeLater<number> {
    const { texts, isUnseen } = this.#contents;
    const otherTokens = maxNonTextTokens(this.#contents, family, isChat);
    if (isUnseen || otherTokens >= limit) return limit;
    if (!family.isExact) return otherTokens + this.#textBytes([]);
    const tools = this.#toolsAs(family.toolForm);
    if (!tools) return limit;
    const byBytes = () => otherTokens + this.#textBytes(tools);
    if (this.#hidden === Number.POSITIVE_INFINITY) return byBytes();
    const counted = tools.length === 0 ? texts : texts.with(tools);
    const counting = this.#counter.boundTexts(counted, family.vocabulary, limit);
    return andThen(counting, (bound) =>
      bound === undefined ? byBytes() : otherTokens + bound + this.#hidden,
    );
  }

  /** Returns the tools in a vendor's form. Returns undefined if a tool is too long in it. */
  #toolsAs(form: ToolForm): readonly string[] | undefined {
    const { tools, standIns } = this.#contents;
    if (tools.length === 0) return NO_TOOLS;
    if (!this.#written.has(form)) this.#written.set(form, writtenTools([...tools, ...standIns], form));
    return this.#written.get(form);
  }

  /** Returns the bytes of the body's texts, with the most bytes that its tools can have in any form. */
  #textBytes(written: readonly string[]): number {
    const { tools, standIns, mediaLength, decodedBytes } = this.#contents;
    const bytes = Buffer.byteLength(this.#text) - mediaLength + decodedBytes;
    if (tools.length === 0) return bytes;
    const asSent = Buffer.byteLength(JSON.stringify(tools));
    const inThisForm = written.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return bytes - asSent + Math.max(toolBytes(tools) + toolBytes(standIns), inThisForm);
  }
}
