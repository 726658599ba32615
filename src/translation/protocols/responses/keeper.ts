import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Keeper, ResponseHead } from '../../contract/codec.ts';
import { encodeReplay } from './encode-response.ts';
import { isKept } from './view.ts';

/** Returns the keeper of a translated answer, if the answer is stored. */
export const keeper = (head: ResponseHead): Keeper | undefined =>
  isKept(head.body.value)
    ? ({ parts }, sent) => ({
        envelope: sliceJson(sent, ['response']) ?? sent,
        items: JSON.stringify(encodeReplay(parts, head)),
      })
    : undefined;
