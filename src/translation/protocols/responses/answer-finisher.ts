import { sliceJson } from '../../../base/json/slice-json.ts';
import type { AnswerFinisher } from '../../contract/finished-answer.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { encodeReplay } from './encode-response.ts';
import { isKept } from './view.ts';

/** Returns the finisher of a translated answer, if the answer is stored. */
export const answerFinisher = (head: ResponseHead): AnswerFinisher | undefined =>
  isKept(head.body.value)
    ? ({ parts }, sent) => ({
        envelope: sliceJson(sent, ['response']) ?? sent,
        items: JSON.stringify(encodeReplay(parts, head)),
      })
    : undefined;
