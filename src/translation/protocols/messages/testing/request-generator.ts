import type { CacheBreakpoint, MediaSource, Part, ToolResultContent } from '../../../canonical/part.ts';
import { RawJson } from '../../../canonical/raw-json.ts';
import type { CanonicalRequest, Tool, ToolChoice, Turn } from '../../../canonical/request.ts';

const texts = ['hello', '"quoted" \\ {"input":1}', 'ünïcödé 🎉', 'lines\n\nand\ttabs', ']}', 'a\u2028b'];
const inputs = ['{}', '{"a":[1,{"b":"]}"}]}', '{"big":12345678901234567890, "float":1.0}'];

/**
 * Generates conversations with every feature of the messages protocol, in the form that its decoder returns.
 */
export class RequestGenerator {
  readonly #random: () => number;
  #calls = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  request(): CanonicalRequest {
    const tools = this.#list(3, (index) => this.#tool(index));
    const toolChoice = tools.length > 0 && this.#chance() ? this.#choice(tools) : undefined;
    return {
      model: 'claude',
      stream: this.#chance(),
      system: this.#list(2, () => this.#text()),
      turns: this.#turns(),
      tools,
      ...(toolChoice && { toolChoice }),
      ...(toolChoice && toolChoice.kind !== 'none' && this.#chance() && { parallelToolCalls: false }),
      maxOutputTokens: 1 + Math.floor(this.#random() * 9999),
      sampling: {
        ...(this.#chance() && { temperature: 0.5 }),
        ...(this.#chance() && { topP: 0.25 }),
        ...(this.#chance() && { topK: 40 }),
        ...(this.#chance() && { stopSequences: ['END', '\n\nHuman:'] }),
      },
      ...(this.#chance() && {
        format: { kind: 'json-schema' as const, schema: new RawJson('{"type": "object"}'), strict: true },
      }),
      hints: this.#chance() ? { cacheKey: 'u', user: 'u', serviceTier: 'auto' } : {},
      ...(this.#chance() && {
        opaque: [{ kind: 'opaque' as const, issuer: 'messages' as const, block: { container: 'c' } }],
      }),
    };
  }

  /** Builds the turns. The results of a turn's calls come first in the next turn. */
  #turns(): Turn[] {
    const turns: Turn[] = [];
    for (let left = 1 + Math.floor(this.#random() * 3); left > 0; left--) {
      const calls = (turns.at(-1)?.parts ?? []).flatMap((part) =>
        part.kind === 'tool-call' ? [part.callId] : [],
      );
      const results = calls.map((callId) => this.#result(callId));
      turns.push({ role: 'user', parts: [...results, this.#text(), ...this.#list(2, () => this.#media())] });
      const sayings = [this.#text(), ...this.#list(3, () => this.#saying())];
      turns.push({ role: 'assistant', parts: [...this.#list(2, () => this.#thought()), ...sayings] });
    }
    turns.push({ role: 'user', parts: [this.#text()] });
    return turns;
  }

  #saying(): Part {
    const block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    return this.#one<() => Part>([
      () => this.#text(),
      () => ({ kind: 'opaque', issuer: 'messages', block }),
      () => ({
        kind: 'tool-call',
        callId: `toolu_${this.#calls++}`,
        name: 'tool0',
        input: { kind: 'json', text: this.#one(inputs) },
        ...this.#cache(),
      }),
    ])();
  }

  #thought(): Part {
    const replay = { issuer: 'messages', data: 'c2ln' } as const;
    if (this.#chance()) return { kind: 'redacted-thinking', replay };
    return { kind: 'thinking', form: 'full', text: this.#chance() ? '' : this.#one(texts), replay };
  }

  #text() {
    return { kind: 'text' as const, text: this.#one(texts), ...this.#cache() };
  }

  #media(): Part & ToolResultContent {
    const sources: MediaSource[] = [
      { kind: 'url', url: 'https://a.example/b' },
      { kind: 'file', fileId: 'file_1' },
    ];
    if (this.#chance()) {
      const png = { kind: 'base64' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' };
      return { kind: 'image', source: this.#one([...sources, png]), ...this.#cache() };
    }
    const text = { kind: 'text' as const, text: this.#one(texts) };
    const titles = this.#chance() ? { title: 'T', context: 'C', citable: true } : {};
    return { kind: 'document', source: this.#one([...sources, text]), ...titles, ...this.#cache() };
  }

  #result(callId: string): Part {
    const content = this.#list(3, () => (this.#chance() ? this.#text() : this.#media()));
    return {
      kind: 'tool-result',
      callId,
      content,
      // The vendor refuses an error without content.
      ...(this.#chance() && content.length > 0 && { isError: true }),
      ...this.#cache(),
    };
  }

  #tool(index: number): Tool {
    const own = new RawJson(`{"type":"web_search_20260318","name":"tool${index}"}`);
    if (index > 0 && this.#chance()) return { kind: 'opaque', issuer: 'messages', tool: own };
    return {
      kind: 'function',
      name: `tool${index}`,
      inputSchema: new RawJson('{ "type":"object", "z":1.0, "a":{} }'),
      ...(this.#chance() && { description: this.#one(texts), strict: this.#chance() }),
      ...this.#cache(),
    };
  }

  #choice(tools: readonly Tool[]): ToolChoice {
    const [tool] = tools;
    const choices: ToolChoice[] = [{ kind: 'auto' }, { kind: 'any' }, { kind: 'none' }];
    if (tool?.kind === 'function') choices.push({ kind: 'named', name: tool.name });
    return this.#one(choices);
  }

  #cache(): { cache?: CacheBreakpoint } {
    return this.#chance() ? { cache: this.#one<CacheBreakpoint>([{}, { ttl: '1h' }]) } : {};
  }

  #list<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) }, (_, index) => make(index));
  }

  #one<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)]!;
  }

  #chance(): boolean {
    return this.#random() < 0.5;
  }
}
