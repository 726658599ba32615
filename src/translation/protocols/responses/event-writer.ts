import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { jsonString } from '../../framing/json-string.ts';
import { errorEvent } from './failed-error.ts';

/** Writes the upstream's events of one stream for the client, numbered from 0. */
export class EventWriter {
  #nextNumber = 0;

  write(type: string, data: string, event: JsonObject): string {
    const text = this.writeLast(type, data, event);
    this.#nextNumber++;
    return text;
  }

  /**
   * Writes the last event. It waits for the settlement, and a failure replaces it under the same number.
   *
   * The upstream's number and type stay if they are correct. The number can be wrong if the stream began
   * elsewhere or if events were hidden. Clients read the type only in the data, and some hosts omit it there.
   */
  writeLast(type: string, data: string, event: JsonObject): string {
    const number = this.#nextNumber;
    const isRight = event.sequence_number === number && event.type === type;
    const numbered = isRight
      ? data
      : patchText(data, { type: jsonString(type), sequence_number: String(number) });
    return formatFrame({ event: type, data: numbered });
  }

  /** Writes two events that end a failed stream, since each client reads one of them and none reads both. */
  writeFailure(refusal: Refusal, response: string): string {
    const error = { type: 'error', sequence_number: this.#nextNumber++, ...errorEvent(refusal) };
    const failed = JSON.stringify({ type: 'response.failed', sequence_number: this.#nextNumber++ });
    return (
      formatFrame({ event: 'error', data: JSON.stringify(error) }) +
      formatFrame({ event: 'response.failed', data: `${failed.slice(0, -1)},"response":${response}}` })
    );
  }
}
