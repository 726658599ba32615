import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Keeper, ResponseHead } from '../codec.ts';
import { encodeReplay } from './encode-response.ts';
import { isKept } from './view.ts';

/** What is kept of an answer that was translated. */
export const keeper = (head: ResponseHead): Keeper | undefined =>
  isKept(head.body.value)
    ? ({ parts }, sent) => ({
        envelope: sliceJson(sent, ['response']) ?? sent,
        items: JSON.stringify(encodeReplay(parts, head)),
      })
    : undefined;
