import { expect, test } from 'bun:test';
import { answerOf, decodeRecording } from '../../support/recordings/decode-recording.ts';
import { readContent } from '../../support/recordings/read-content.ts';
import { answersOn, testAnswers } from '../../support/recordings/test-answers.ts';

testAnswers('openai-chat');

const FIELD = /^(reasoning_content|reasoning|reasoning_text|thinking)$/;
const thinking = answersOn('openai-chat').filter((recording) => readContent(recording).thinking !== '');

test.each(thinking)('$name: gives each reasoning item the field that its host expects', (recording) => {
  const { parts } = answerOf(decodeRecording(recording));
  const fields = parts.flatMap((part) => (part.kind === 'thinking' ? [part.replay?.data ?? ''] : []));
  expect(fields.length).toBeGreaterThan(0);
  for (const field of fields) {
    expect(field).toMatch(FIELD);
    expect(recording.lines.join('\n')).toContain(`"${field}":`);
  }
});
