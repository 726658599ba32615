import type { RouteDescription } from '../../edge/http/route.ts';

/** Describes `GET /v1/streams/{request_id}`. */
export const streamDescription: RouteDescription = {
  group: 'Resumable streams',
  summary: 'Resumes a stream that broke',
  key: 'either',
  headers: [
    {
      name: 'Last-Event-ID',
      description:
        'The `id` of the last frame that the client has. Without it the stream begins with its first frame.',
    },
  ],
  answer:
    'The frames after `Last-Event-ID`, byte for byte as they were sent first, and those to come. The stream must have been asked for with `x-{brand}-resumable: true`, or by a key with `resumable`. Reading is free.',
  answerType: 'text/event-stream',
  errors: ['not_found', 'invalid_request'],
  otherAnswers: { 204: { description: 'The client has the whole stream.' } },
};
