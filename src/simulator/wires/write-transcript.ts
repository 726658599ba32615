import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import { type Span, sentencesOf, speakerOf, type Transcript, wordsOf } from './transcript.ts';

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

const withUsage = ({ usage }: Transcript) => usage && { usage };

const withExtras = ({ logprobs, languages }: Transcript) => ({
  ...(logprobs && { logprobs }),
  ...(languages && { languages }),
});

const shortJson = (transcript: Transcript): object => ({
  text: transcript.text,
  ...withExtras(transcript),
  ...withUsage(transcript),
});

const verboseJson = (transcript: Transcript): object => ({
  task: transcript.task,
  language: 'english',
  duration: transcript.seconds,
  text: transcript.text,
  ...(transcript.times.has('word') && {
    words: wordsOf(transcript).map(({ text, start, end }) => ({ word: text, start, end })),
  }),
  ...(transcript.times.has('segment') && { segments: sentencesOf(transcript).map(segmentOf) }),
  ...withUsage(transcript),
});

const segmentOf = ({ text, start, end }: Span, id: number) => ({
  id,
  seek: 0,
  start,
  end,
  text: ` ${text}`,
  tokens: [],
  temperature: 0,
  avg_logprob: -0.1,
  compression_ratio: 1,
  no_speech_prob: 0,
});

const diarizedJson = (transcript: Transcript): object => ({
  task: 'transcribe',
  duration: transcript.seconds,
  text: transcript.text,
  segments: diarized(transcript),
  ...withUsage(transcript),
});

const diarized = (transcript: Transcript) =>
  sentencesOf(transcript).map((sentence, place) => ({
    type: 'transcript.text.segment',
    id: `seg_${place}`,
    ...sentence,
    speaker: speakerOf(transcript, place),
  }));

/** The forms that are JSON. */
export const JSON_FORMS: Partial<Record<TranscriptFormat, (transcript: Transcript) => object>> = {
  json: shortJson,
  verbose_json: verboseJson,
  diarized_json: diarizedJson,
};

const timeOf = (seconds: number, point: string): string =>
  new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23).replace('.', point);

const cueTimes = ({ start, end }: Span, point: string) => `${timeOf(start, point)} --> ${timeOf(end, point)}`;

/** The forms that are plain text. */
export const TEXT_FORMS: Partial<Record<TranscriptFormat, (transcript: Transcript) => string>> = {
  text: ({ text }) => `${text}\n`,
  srt: (transcript) =>
    sentencesOf(transcript)
      .map((span, place) => `${place + 1}\n${cueTimes(span, ',')}\n${span.text}\n\n`)
      .join(''),
  vtt: (transcript) =>
    `WEBVTT\n\n${sentencesOf(transcript)
      .map((span) => `${cueTimes(span, '.')}\n${span.text}\n\n`)
      .join('')}`,
};

/** Yields a transcript word by word. Sentences with their speakers are events of their own. */
export function* transcriptEvents(
  transcript: Transcript,
  format: TranscriptFormat,
): Iterable<SimulatorEvent> {
  if (format === 'diarized_json') for (const segment of diarized(transcript)) yield streamEvent(segment, 1);
  else {
    const { logprobs } = transcript;
    const deltas = logprobs ? logprobs.map(({ token }) => token) : transcript.text.split(/(?<=\S)(?=\s)/);
    for (const [place, delta] of deltas.entries())
      yield streamEvent(
        { type: 'transcript.text.delta', delta, ...(logprobs && { logprobs: [logprobs[place]] }) },
        1,
      );
  }
  yield streamEvent({ ...shortJson(transcript), type: 'transcript.text.done' });
}
