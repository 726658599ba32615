import { answerWell, type UpstreamAnswer } from './recording-upstream.ts';

const message = {
  id: 'hidden',
  type: 'message',
  role: 'assistant',
  model: 'hidden',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};

const response = {
  id: 'hidden',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'hidden',
  output: [
    {
      type: 'message',
      id: 'hidden',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
};

const completion = (answers: number) => ({
  id: 'hidden',
  object: 'text_completion',
  created: 1,
  model: 'hidden',
  choices: Array.from({ length: answers }, (_, index) => ({
    index,
    text: 'hello',
    finish_reason: 'stop',
    logprobs: null,
  })),
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

/** Answers on any of these wires with a whole answer. */
export const answerAnyWire: UpstreamAnswer = (request) => {
  if (request.path.endsWith('/messages')) return Response.json(message);
  if (request.path.endsWith('/responses')) return Response.json(response);
  return request.path.endsWith('/chat/completions')
    ? answerWell(request)
    : Response.json(completion(request.body.n ?? 1));
};
