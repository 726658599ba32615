import { MEGABYTE } from './ask.ts';

// The attacked server's upstream, as a program. A model's name says how it answers: `quick`, `whole-12`
// (megabytes), `deep-100000` (levels), `late-50` (milliseconds).
// It never parses a body: the model stands at its beginning.

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const base = { id: 'hidden', created: 1_750_000_000, model: 'hidden' };

const wholeAnswer = (content: string): string =>
  JSON.stringify({
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  });
const chunk = (rest: object): string =>
  `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...rest })}\n\n`;
const streamed = [
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'one ' }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: { content: 'two' }, finish_reason: 'stop' }] }),
  chunk({ choices: [], usage }),
  'data: [DONE]\n\n',
].join('');
const quick = wholeAnswer('one two');

const largeAnswers = new Map<string, Buffer>();
/** Makes a large answer at its first use. */
function makeOnce(name: string, make: () => string): Buffer {
  const answer = largeAnswers.get(name) ?? Buffer.from(make());
  largeAnswers.set(name, answer);
  return answer;
}

const json = (body: string | Buffer): Response =>
  new Response(body as string, { headers: { 'content-type': 'application/json' } });

const answers: Record<string, (figure: number, model: string) => Response | Promise<Response>> = {
  quick: () => json(quick),
  late: async (ms) => {
    await Bun.sleep(ms);
    return json(quick);
  },
  whole: (megabytes, model) =>
    json(makeOnce(model, () => wholeAnswer('Words. '.repeat((megabytes * MEGABYTE) / 7)))),
  deep: (levels, model) =>
    json(makeOnce(model, () => quick.replace('"one two"', '['.repeat(levels) + ']'.repeat(levels)))),
};

/** Members that must never arrive; the gateway drops them. */
const forbidden = /"(Model|N|Max_Tokens|STREAM|Models)"/;
const FORBIDDEN_WITHIN = 1_000;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  maxRequestBodySize: 64 * MEGABYTE,
  async fetch(request) {
    const body = Buffer.from(await request.arrayBuffer());
    const head = body.subarray(0, FORBIDDEN_WITHIN).toString('latin1');
    if (forbidden.test(head)) return new Response('a member arrived', { status: 500 });
    const isStream =
      /"stream": ?true/.test(head) || /"stream": ?true/.test(body.subarray(-200).toString('latin1'));
    const [, name = '', figure = '0'] = /"model": ?"(?:narrow-|calm-)?([a-z]+)-?(\d*)"/.exec(head) ?? [];
    const answer = answers[name];
    if (!answer) return new Response('unknown model', { status: 404 });
    if (isStream && name !== 'whole') {
      if (name === 'late') await Bun.sleep(Number(figure));
      return new Response(streamed, { headers: { 'content-type': 'text/event-stream' } });
    }
    return await answer(Number(figure), `${name}-${figure}`);
  },
});
process.send?.({ url: `http://127.0.0.1:${server.port}` });
