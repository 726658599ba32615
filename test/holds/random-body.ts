import { textKinds } from './text-kinds.ts';

export type RandomBody = { dialect: Dialect; value: Record<string, unknown>; text: string };
export const dialects = ['chat', 'messages', 'responses', 'completions', 'embeddings'] as const;
export type Dialect = (typeof dialects)[number];

const makers = Object.values(textKinds);
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Builds bodies of every shape, with texts, names and members in unexpected places.
 * Equal random numbers give equal bodies.
 */
export class BodyMaker {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  next(): RandomBody {
    const dialect = dialects[this.#below(dialects.length)]!;
    const value = { model: this.#word(), ...this.#bodies[dialect](), ...this.#extras() };
    return { dialect, value, text: this.#written(value) };
  }

  readonly #bodies: Record<Dialect, () => Record<string, unknown>> = {
    chat: () => ({
      messages: this.#some(1, 6, () => this.#chatMessage()),
      ...this.#maybe(0.6, () => ({ tools: this.#some(1, 4, () => this.#chatTool()) })),
      ...this.#maybe(0.05, () => ({ functions: this.#some(1, 4, () => this.#function('parameters')) })),
      ...this.#maybe(0.1, () => ({ reasoning_effort: 'high' })),
      ...this.#maybe(0.1, () => ({ prediction: { type: 'content', content: this.#text() } })),
      ...this.#maybe(0.1, () => ({
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: this.#object(2) } },
      })),
    }),
    messages: () => ({
      max_tokens: 1 + this.#below(4_096),
      messages: this.#some(1, 6, () => ({ role: this.#of('user', 'assistant'), content: this.#blocks() })),
      ...this.#maybe(0.3, () => ({ system: this.#of<unknown>(this.#text(), [this.#textBlock()]) })),
      ...this.#maybe(0.6, () => ({
        tools: this.#some(1, 4, () =>
          this.#chance(0.9)
            ? this.#function('input_schema')
            : { type: 'web_search_20250305', name: 'web_search', max_uses: this.#below(9) },
        ),
      })),
      ...this.#maybe(0.2, () => ({ thinking: { type: 'enabled', budget_tokens: 1_024 } })),
    }),
    responses: () => ({
      input: this.#chance(0.2) ? this.#text() : this.#some(1, 6, () => this.#item()),
      ...this.#maybe(0.3, () => ({ instructions: this.#text() })),
      ...this.#maybe(0.6, () => ({
        tools: this.#some(1, 4, () =>
          this.#chance(0.9)
            ? { type: 'function', ...this.#function('parameters') }
            : this.#of<object>(
                { type: 'web_search' },
                { type: 'custom', name: this.#word(), description: this.#text() },
              ),
        ),
      })),
      ...this.#maybe(0.2, () => ({ reasoning: { effort: 'high', summary: 'auto' } })),
    }),
    completions: () => ({
      prompt: this.#of<unknown>(
        this.#text(),
        this.#some(1, 5, () => this.#text()),
        this.#some(1, 50, () => this.#below(200_000)),
        this.#some(1, 4, () => this.#some(1, 20, () => this.#below(200_000))),
      ),
      ...this.#maybe(0.3, () => ({ suffix: this.#text() })),
    }),
    embeddings: () => ({
      input: this.#of<unknown>(
        this.#text(),
        this.#some(1, 20, () => this.#text()),
        this.#some(1, 50, () => this.#below(200_000)),
      ),
    }),
  };

  /** Returns members that no protocol has. */
  #extras(): Record<string, unknown> {
    return this.#maybe(0.2, () => ({ [this.#name()]: this.#value(2) }));
  }

  #chatMessage(): Record<string, unknown> {
    const id = this.#word();
    return this.#of(
      { role: this.#of('user', 'system', 'developer'), content: this.#text() },
      { role: 'user', content: this.#some(1, 4, () => this.#chatPart()), ...this.#extras() },
      { role: 'tool', tool_call_id: id, content: this.#text() },
      {
        role: 'assistant',
        content: this.#of<unknown>(null, this.#text()),
        ...this.#maybe(0.3, () => ({ reasoning_content: this.#text() })),
        tool_calls: this.#some(1, 3, () => ({
          id,
          type: 'function',
          function: {
            name: this.#word(),
            arguments: this.#of(JSON.stringify(this.#object(2)), this.#text()),
          },
        })),
      },
    );
  }

  readonly #chatPart = (): Record<string, unknown> =>
    this.#of(
      { type: 'text', text: this.#text(), ...this.#extras() },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, note: this.#word() } },
      { type: this.#word(), [this.#name()]: this.#value(2) },
    );

  #chatTool(): Record<string, unknown> {
    return { type: 'function', function: this.#function('parameters') };
  }

  #function(schema: 'parameters' | 'input_schema'): Record<string, unknown> {
    return {
      name: this.#word(),
      ...this.#maybe(0.8, () => ({ description: this.#lines() })),
      [schema]: this.#chance(0.9) ? this.#objectSchema(3) : this.#value(3),
      ...this.#maybe(0.2, () => ({ strict: true })),
      ...this.#extras(),
    };
  }

  #objectSchema(depth: number): Record<string, unknown> {
    const names = this.#some(0, 4, this.#name);
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, this.#schema(depth - 1)])),
      ...this.#maybe(0.6, () => ({ required: names.filter(() => this.#chance(0.5)) })),
      ...this.#maybe(0.3, () => ({ additionalProperties: false })),
      ...this.#maybe(0.1, () => ({ $defs: { [this.#word()]: this.#schema(1), node: this.#schema(1) } })),
      ...this.#said(),
    };
  }

  #schema(depth: number): unknown {
    const kinds = ['string', 'integer', 'number', 'boolean', 'null'];
    const leaf = this.#of<() => Record<string, unknown>>(
      () => ({ type: this.#of(...kinds) }),
      () => ({ type: 'string', enum: this.#some(0, 6, () => this.#of(this.#word(), this.#text())) }),
      () => ({ type: this.#of('integer', 'number'), enum: this.#some(1, 6, () => this.#below(1_000)) }),
      () => ({ type: this.#some(1, 3, () => this.#of(...kinds)), nullable: true }),
      () => ({ $ref: this.#of('#/$defs/node', `#/$defs/${this.#word()}`) }),
      () => ({ const: this.#value(1), [this.#name()]: this.#value(2) }),
    );
    if (depth <= 0 || this.#chance(0.5))
      return this.#chance(0.05) ? this.#value(2) : { ...leaf(), ...this.#said() };
    return this.#of<() => unknown>(
      () => this.#objectSchema(depth),
      () => ({ type: 'array', items: this.#schema(depth - 1), ...this.#said() }),
      () => ({
        [this.#of('anyOf', 'oneOf', 'allOf')]: this.#some(0, 4, () => this.#schema(depth - 1)),
        ...this.#said(),
      }),
    )();
  }

  #said(): Record<string, unknown> {
    return {
      ...this.#maybe(0.5, () => ({ description: this.#lines() })),
      ...this.#maybe(0.2, () => ({ title: this.#word() })),
      ...this.#maybe(0.2, () => ({ default: this.#value(1) })),
      ...this.#maybe(0.1, () => ({ examples: this.#some(0, 3, () => this.#value(1)) })),
      ...this.#maybe(0.1, () => ({ nullable: true, minimum: this.#below(9), pattern: this.#text() })),
    };
  }

  #lines(): string {
    return this.#chance(0.7) ? this.#text() : this.#some(1, 5, () => this.#text()).join('\n');
  }

  #blocks(): unknown {
    return this.#chance(0.3) ? this.#text() : this.#some(1, 4, () => this.#block());
  }

  #textBlock(): Record<string, unknown> {
    return {
      type: 'text',
      text: this.#text(),
      ...this.#maybe(0.2, () => ({ cache_control: { type: 'ephemeral' } })),
    };
  }

  #block(): Record<string, unknown> {
    const id = `toolu_${this.#word().replace(/\W/g, '_')}`;
    return this.#of<Record<string, unknown>>(
      this.#textBlock(),
      { type: 'tool_use', id, name: 'find', input: this.#object(3) },
      { type: 'tool_result', tool_use_id: id, content: this.#of<unknown>(this.#text(), [this.#textBlock()]) },
      { type: 'thinking', thinking: this.#text(), signature: this.#word() },
      { type: 'redacted_thinking', data: this.#word() },
      { type: 'compaction', content: this.#text() },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      {
        type: 'document',
        title: this.#word(),
        source: { type: 'text', media_type: 'text/plain', data: this.#text() },
      },
      { type: 'search_result', source: 'x', title: this.#word(), content: [this.#textBlock()] },
      { type: this.#word(), [this.#name()]: this.#value(3) },
    );
  }

  #item(): Record<string, unknown> {
    const call_id = this.#word();
    return this.#of<Record<string, unknown>>(
      { role: this.#of('user', 'assistant', 'developer'), content: this.#text() },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: this.#text() }],
        ...this.#extras(),
      },
      { type: 'function_call', call_id, name: this.#word(), arguments: JSON.stringify(this.#object(2)) },
      {
        type: 'function_call_output',
        call_id,
        output: this.#of<unknown>(this.#text(), [{ type: 'input_text', text: this.#text() }]),
      },
      { type: 'compaction', id: call_id, encrypted_content: this.#text() },
      { type: 'custom_tool_call', call_id, name: this.#word(), input: this.#text() },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: this.#text() }],
        encrypted_content: this.#text(),
      },
      { type: this.#word(), [this.#name()]: this.#value(3) },
    );
  }

  #value(depth: number): unknown {
    if (depth === 0 || this.#chance(0.4))
      return this.#of<unknown>(this.#text(), this.#below(1e9), this.#random(), true, null);
    return this.#chance(0.5) ? this.#some(0, 4, () => this.#value(depth - 1)) : this.#object(depth);
  }

  #object(depth: number): Record<string, unknown> {
    return Object.fromEntries(this.#some(0, 4, () => [this.#name(), this.#value(depth - 1)]));
  }

  /** Returns mostly a word, now and then a whole prompt. */
  #name = (): string => (this.#chance(0.85) ? this.#word() : this.#text());

  #word(): string {
    return makers[this.#below(makers.length)]!(1 + this.#below(12), this.#random).slice(0, 16);
  }

  /**
   * Returns a text that is mostly short. Some texts are longer than the length at which texts are cut for
   * counting.
   */
  #text(): string {
    const length = this.#chance(0.992) ? this.#below(120) : 1_000 + this.#below(3_000);
    return makers[this.#below(makers.length)]!(length, this.#random);
  }

  /** Writes JSON in the manner of some clients: with spaces, or in ASCII alone. */
  #written(value: unknown): string {
    const compact = JSON.stringify(value);
    if (this.#chance(0.6)) return compact;
    if (this.#chance(0.5)) return JSON.stringify(value, null, 2);
    return compact.replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #chance(part: number): boolean {
    return this.#random() < part;
  }

  #of<T>(...choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }

  #some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.#below(most - least + 1) }, make);
  }

  #maybe(part: number, make: () => Record<string, unknown>): Record<string, unknown> {
    return this.#chance(part) ? make() : {};
  }
}
