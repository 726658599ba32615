import { requestBodies } from './bench/workload.ts';
import { createMessagesDialect } from './src/protocols/messages/messages-dialect.ts';
import { createResponsesDialect } from './src/protocols/responses/responses-dialect.ts';
import { createCompletionsDialect } from './src/protocols/completions/completions-dialect.ts';
import { parseJsonObject } from './src/http/json-body.ts';
const chat = JSON.parse(requestBodies.unary);
const [sys, ...turns] = chat.messages;
const said = 'It counts the requests of the last sixty seconds in a ring of one-second slots, and refuses the one that would go past the limit.';
const cases: any = {
  messages: [createMessagesDialect(), JSON.stringify({ model: 'bench-model', max_tokens: 256, system: sys.content, messages: turns }),
    JSON.stringify({ id: 'msg_x', type: 'message', role: 'assistant', model: 'bench-upstream', content: [{ type: 'text', text: said }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 312, output_tokens: 97, cache_creation_input_tokens: 0, cache_read_input_tokens: 128 } })],
  responses: [createResponsesDialect(), JSON.stringify({ model: 'bench-model', max_output_tokens: 256, instructions: sys.content, input: turns, store: false }),
    JSON.stringify({ id: 'resp_x', object: 'response', created_at: 1763720000, status: 'completed', model: 'bench-upstream', error: null, incomplete_details: null, output: [{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [] }] }], usage: { input_tokens: 312, input_tokens_details: { cached_tokens: 128 }, output_tokens: 97, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 409 } })],
  completions: [createCompletionsDialect(), JSON.stringify({ model: 'bench-model', prompt: turns.map((t: any) => t.content).join('\n'), max_tokens: 256 }),
    JSON.stringify({ id: 'x', object: 'text_completion', created: 1, model: 'bench-upstream', choices: [{ text: said, index: 0, logprobs: null, finish_reason: 'length' }], usage: { prompt_tokens: 312, completion_tokens: 97, total_tokens: 409 } })],
};
const target: any = { upstreamModel: 'bench-upstream', reasoning: false, reasoningEfforts: [], maxOutput: 8192 };
const label = { id: 'chatcmpl-VbdZ9jaDtaFreiMh73aipe5h', model: 'bench-model', estimateInput: () => 5 };
const only = process.argv[2]; const prof = !!only;
const T: any = {}; let sink: any; const junk = new Uint8Array(prof ? 0 : 400000);
const time = (n: string, f: () => any) => { const t = Bun.nanoseconds(); sink = f(); (T[n] ??= []).push(Bun.nanoseconds() - t); return sink; };
for (const n in cases) { if (only && n !== only) continue; const [d, q, a] = cases[n];
  for (let k = 0; k < (prof ? 200000 : 12000); k++) { const body: any = parseJsonObject(Buffer.from(q).toString()); const ans = Buffer.from(a).toString(); for (let i = 0; i < junk.length; i += 64) junk[i]++;
    const r = time(n + ' read', () => d.read(body)); if (r.code) { console.log(r); break; }
    time(n + ' needs', () => d.needs?.vision?.(body.value));
    time(n + ' patchRequest', () => d.patchRequest(r, 'bench-upstream', target)); time(n + ' patchAnswer', () => d.patchAnswer(ans, label, r)); time(n + ' parse', () => JSON.parse(ans)); } }
for (const n in T) { const x = T[n].slice(6000).sort((p: number, q: number) => p - q); console.log(n.padEnd(26), 'med', x[x.length >> 1], 'p10', x[x.length / 10 | 0]); }
