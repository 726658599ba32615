import { sliceJson } from '../../../base/json/slice-json.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { AnswerFinisher } from '../../contract/finished-answer.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { isKept } from '../is-kept.ts';
import { encodeOutput } from './encode-interaction.ts';

/** Returns the finisher of a translated answer, if it is stored. Later turns get hidden thoughts too. */
export const answerFinisher = (head: ResponseHead): AnswerFinisher | undefined =>
  isKept(head.body.value)
    ? ({ parts }, sent) => ({
        envelope: sliceJson(sent, ['interaction']) ?? sent,
        items: stringifyWithRaw(encodeOutput(parts, { showsSummaries: true })),
      })
    : undefined;
