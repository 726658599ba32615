import { listOf, objectOf, parseObject } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import type { Frame } from '../../contract/frame.ts';

/** Splits a whole answer into the events of its stream. Each step begins with all that it says. */
export function splitAnswer(text: string): Frame[] {
  const { steps, ...interaction } = parseObject(text);
  if (typeof interaction.status !== 'string') throw new SyntaxError('the answer has no status');
  const texts = elementsOf(sliceJson(text, ['steps']) ?? '');
  const frames = listOf(steps).flatMap((_, index) => [
    { data: `{"event_type":"step.start","index":${index},"step":${texts[index] ?? '{}'}}` },
    { data: `{"event_type":"step.stop","index":${index}}` },
  ]);
  const { id, model } = objectOf(interaction);
  return [
    { data: JSON.stringify({ event_type: 'interaction.created', interaction: { id, model } }) },
    ...frames,
    { data: JSON.stringify({ event_type: 'interaction.completed', interaction }) },
  ];
}
