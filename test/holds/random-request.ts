import type { Json } from '../support/call.ts';

/** A request that the gateway accepts, and the model that it asks. */
export type RandomRequest = { path: string; body: Json };

type Names = {
  /** Models on each wire. Those of the messages protocol can be asked with everything that it has. */
  models: readonly string[];
  onMessages: string;
  onResponses: string;
  onChat: string;
  /** Names that a request can give to an advisor or a fallback. */
  namesOnMessages: readonly string[];
};

const WORD = 'word ';

/**
 * Builds requests with hosted tools, thinking, compactions, advisors and fallbacks.
 * Equal random numbers give equal requests.
 */
export class RequestMaker {
  readonly #random: () => number;
  readonly #names: Names;

  constructor(random: () => number, names: Names) {
    this.#random = random;
    this.#names = names;
  }

  next(): RandomRequest {
    const kind = this.#below(10);
    if (kind < 5) return { path: '/v1/messages', body: this.#messages() };
    if (kind < 7) return { path: '/v1/responses', body: this.#responses() };
    return { path: '/v1/chat/completions', body: this.#chat() };
  }

  #messages(): Json {
    const tools = this.#tools();
    const isOwn = this.#chance(0.8);
    return {
      model: isOwn ? this.#names.onMessages : this.#of(...this.#names.models),
      ...this.#maybe(isOwn ? 0.4 : 0, () => ({ stream: true })),
      max_tokens: 1 + this.#below(3_000),
      messages: this.#turns(),
      ...(tools.length > 0 && { tools }),
      ...this.#maybe(0.2, () => ({ thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 1_500 })),
      ...this.#maybe(0.3, () => ({
        context_management: { edits: this.#some(1, 2, () => ({ type: 'compact_20260112' })) },
      })),
      ...this.#maybe(0.3, () => ({ fallbacks: this.#some(1, 2, () => this.#fallback()) })),
      ...this.#maybe(0.2, () => ({ speed: this.#of('fast', 'standard') })),
    };
  }

  #turns(): Json[] {
    const user = () => ({ role: 'user', content: this.#text() });
    if (this.#chance(0.8)) return [user()];
    const definition = this.#hosted('added');
    const content = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }];
    return [user(), { role: 'system', content }, user()];
  }

  #tools(): Json[] {
    if (this.#chance(0.3)) return [];
    const hosted = this.#some(0, 3, (index) => this.#hosted(String(index)));
    return [{ name: 'own', input_schema: { type: 'object' } }, ...hosted];
  }

  #hosted(name: string): Json {
    const most = this.#maybe(0.6, () => ({ max_uses: this.#below(6) }));
    return this.#of<Json>(
      { type: 'web_search_20250305', name: `search_${name}`, ...most },
      {
        type: 'web_fetch_20250910',
        name: `fetch_${name}`,
        ...most,
        ...this.#maybe(0.5, () => ({ max_content_tokens: 1 + this.#below(30_000) })),
      },
      {
        type: 'advisor_20260301',
        name: `advisor_${name}`,
        model: this.#of(...this.#names.namesOnMessages),
        ...most,
        ...this.#maybe(0.5, () => ({ max_tokens: 1_024 + this.#below(2_000) })),
      },
    );
  }

  #fallback(): Json {
    return {
      model: this.#of(...this.#names.namesOnMessages),
      ...this.#maybe(0.5, () => ({ max_tokens: 1 + this.#below(3_000) })),
      ...this.#maybe(0.3, () => ({ speed: this.#of('fast', 'standard') })),
    };
  }

  #responses(): Json {
    return {
      model: this.#chance(0.7) ? this.#names.onResponses : this.#of(...this.#names.models),
      input: this.#text(),
      ...this.#maybe(0.7, () => ({ max_output_tokens: 16 + this.#below(3_000) })),
      ...this.#maybe(0.6, () => ({
        tools: [{ type: 'function', name: 'own', parameters: { type: 'object' } }, { type: 'web_search' }],
      })),
      ...this.#maybe(0.4, () => ({ max_tool_calls: this.#below(12) })),
      ...this.#maybe(0.3, () => ({ reasoning: { effort: 'high' } })),
    };
  }

  #chat(): Json {
    const model = this.#of(...this.#names.models);
    return {
      model,
      messages: [{ role: 'user', content: this.#text() }],
      ...this.#maybe(0.7, () => ({
        [this.#of('max_tokens', 'max_completion_tokens')]: 1 + this.#below(3_000),
      })),
      ...this.#maybe(0.3, () => ({ n: 1 + this.#below(3) })),
      ...this.#maybe(0.3, () => ({ reasoning_effort: 'high' })),
      ...this.#maybe(model === this.#names.onChat ? 0.4 : 0, () => ({ web_search_options: {} })),
      ...this.#maybe(0.2, () => ({ prediction: { type: 'content', content: this.#text() } })),
    };
  }

  #text = (): string => WORD.repeat(1 + this.#below(200));

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #chance(part: number): boolean {
    return this.#random() < part;
  }

  #of<T>(...choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }

  #some<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: least + this.#below(most - least + 1) }, (_, index) => make(index));
  }

  #maybe(part: number, make: () => Json): Json {
    return this.#chance(part) ? make() : {};
  }
}
