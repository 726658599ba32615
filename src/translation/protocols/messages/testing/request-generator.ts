import type { CacheBreakpoint, MediaSource, Part, ToolResultContent } from '../../../canonical/part.ts';
import { RawJson } from '../../../canonical/raw-json.ts';
import type { CanonicalRequest, Tool, ToolChoice, Turn } from '../../../canonical/request.ts';
import type { RandomSource } from '../../testing/random-source.ts';

const texts = ['hello', '"quoted" \\ {"input":1}', 'ünïcödé 🎉', 'lines\n\nand\ttabs', ']}', 'a\u2028b'];
const inputs = ['{}', '{"a":[1,{"b":"]}"}]}', '{"big":12345678901234567890, "float":1.0}'];

/**
 * Generates conversations with every feature of the messages protocol, in the form that its decoder returns.
 */
export class RequestGenerator {
  readonly #random: RandomSource;
  #calls = 0;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  request(): CanonicalRequest {
    const tools = this.#random.list(3, (index) => this.#tool(index));
    const toolChoice = tools.length > 0 && this.#random.chance() ? this.#choice(tools) : undefined;
    return {
      model: 'claude',
      stream: this.#random.chance(),
      system: this.#random.list(2, () => this.#text()),
      turns: this.#turns(),
      tools,
      ...(toolChoice && { toolChoice }),
      ...(toolChoice && toolChoice.kind !== 'none' && this.#random.chance() && { parallelToolCalls: false }),
      maxOutputTokens: 1 + this.#random.below(9999),
      sampling: {
        ...(this.#random.chance() && { temperature: 0.5 }),
        ...(this.#random.chance() && { topP: 0.25 }),
        ...(this.#random.chance() && { topK: 40 }),
        ...(this.#random.chance() && { stopSequences: ['END', '\n\nHuman:'] }),
      },
      ...(this.#random.chance() && {
        format: { kind: 'json-schema' as const, schema: new RawJson('{"type": "object"}'), strict: true },
      }),
      hints: this.#random.chance() ? { cacheKey: 'u', user: 'u', serviceTier: 'auto' } : {},
      ...(this.#random.chance() && {
        opaque: [{ kind: 'opaque' as const, issuer: 'messages' as const, block: { container: 'c' } }],
      }),
    };
  }

  /** Builds the turns. The results of a turn's calls come first in the next turn. */
  #turns(): Turn[] {
    const turns: Turn[] = [];
    for (let left = 1 + this.#random.below(3); left > 0; left--) {
      const calls = (turns.at(-1)?.parts ?? []).flatMap((part) =>
        part.kind === 'tool-call' ? [part.callId] : [],
      );
      const results = calls.map((callId) => this.#result(callId));
      turns.push({
        role: 'user',
        parts: [...results, this.#text(), ...this.#random.list(2, () => this.#media())],
      });
      const sayings = [this.#text(), ...this.#random.list(3, () => this.#saying())];
      turns.push({ role: 'assistant', parts: [...this.#random.list(2, () => this.#thought()), ...sayings] });
    }
    turns.push({ role: 'user', parts: [this.#text()] });
    return turns;
  }

  #saying(): Part {
    const block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    return this.#random.of<() => Part>([
      () => this.#text(),
      () => ({ kind: 'opaque', issuer: 'messages', block }),
      () => ({
        kind: 'tool-call',
        callId: `toolu_${this.#calls++}`,
        name: 'tool0',
        input: { kind: 'json', text: this.#random.of(inputs) },
        ...this.#cache(),
      }),
    ])();
  }

  #thought(): Part {
    const replay = { issuer: 'messages', data: 'c2ln' } as const;
    if (this.#random.chance()) return { kind: 'redacted-thinking', replay };
    return {
      kind: 'thinking',
      form: 'full',
      text: this.#random.chance() ? '' : this.#random.of(texts),
      replay,
    };
  }

  #text() {
    return { kind: 'text' as const, text: this.#random.of(texts), ...this.#cache() };
  }

  #media(): Part & ToolResultContent {
    const sources: MediaSource[] = [
      { kind: 'url', url: 'https://a.example/b' },
      { kind: 'file', fileId: 'file_1' },
    ];
    if (this.#random.chance()) {
      const png = { kind: 'base64' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' };
      return { kind: 'image', source: this.#random.of([...sources, png]), ...this.#cache() };
    }
    const text = { kind: 'text' as const, text: this.#random.of(texts) };
    const titles = this.#random.chance() ? { title: 'T', context: 'C', citable: true } : {};
    return { kind: 'document', source: this.#random.of([...sources, text]), ...titles, ...this.#cache() };
  }

  #result(callId: string): Part {
    const content = this.#random.list(3, () => (this.#random.chance() ? this.#text() : this.#media()));
    return {
      kind: 'tool-result',
      callId,
      content,
      // The vendor refuses an error without content.
      ...(this.#random.chance() && content.length > 0 && { isError: true }),
      ...this.#cache(),
    };
  }

  #tool(index: number): Tool {
    const own = new RawJson(`{"type":"web_search_20260318","name":"tool${index}"}`);
    if (index > 0 && this.#random.chance()) return { kind: 'opaque', issuer: 'messages', tool: own };
    return {
      kind: 'function',
      name: `tool${index}`,
      inputSchema: new RawJson('{ "type":"object", "z":1.0, "a":{} }'),
      ...(this.#random.chance() && { description: this.#random.of(texts), strict: this.#random.chance() }),
      ...this.#cache(),
    };
  }

  #choice(tools: readonly Tool[]): ToolChoice {
    const [tool] = tools;
    const choices: ToolChoice[] = [{ kind: 'auto' }, { kind: 'any' }, { kind: 'none' }];
    if (tool?.kind === 'function') choices.push({ kind: 'named', name: tool.name });
    return this.#random.of(choices);
  }

  #cache(): { cache?: CacheBreakpoint } {
    return this.#random.chance() ? { cache: this.#random.of<CacheBreakpoint>([{}, { ttl: '1h' }]) } : {};
  }
}
