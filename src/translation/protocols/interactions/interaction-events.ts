import type { Refusal } from '../../../base/errors/refusal.ts';
import { type JsonPatch, patchText } from '../../../base/json/patch-json.ts';
import { RawJson, stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';

/** The prefix of the events' ids. A reader resumes after the event that it names. */
const EVENT_ID = 'event_';

/** Returns the number of an event by its id. Returns undefined if no event has such an id. */
export const eventNumber = (id: string): number | undefined =>
  /^event_\d{1,9}$/.test(id) ? Number(id.slice(EVENT_ID.length)) : undefined;

/** Writes the events of one stream, with their ids. */
export class InteractionEvents {
  /** The number of frames that were made. */
  #made: number;

  /** `made`: the number of frames that the stream has already. */
  constructor(made = 0) {
    this.#made = made;
  }

  frame(type: string, members: object): Frame {
    this.#made++;
    const data = { ...members, event_type: type, event_id: `${EVENT_ID}${this.#made}` };
    return { event: type, data: stringifyWithRaw(data) };
  }

  /** Returns an event of the vendor's with an id of this stream. */
  patched(type: string, data: string, patch: JsonPatch): Frame {
    this.#made++;
    const event_id = JSON.stringify(`${EVENT_ID}${this.#made}`);
    return { event: type, data: patchText(data, { ...patch, event_id }) };
  }

  /** Returns the first events of a stream. */
  begin(interaction: { id: string; status: string }): Frame[] {
    const { id, status } = interaction;
    return [
      this.frame('interaction.created', { interaction }),
      this.frame('interaction.status_update', { interaction_id: id, status }),
    ];
  }

  /** Returns the last event, with the text of the whole interaction, and the frame after it. */
  finish(interaction: string): Frame[] {
    const last = this.frame('interaction.completed', { interaction: new RawJson(interaction) });
    this.#made++;
    return [last, { data: DONE }];
  }

  /** Returns the event that ends a failed stream. It replaces frames that were made and never sent. */
  error(refusal: Refusal, unsent = 0): Frame {
    this.#made -= unsent;
    return this.frame('error', { error: interactionError(refusal) });
  }
}

/** Returns the error of a stream or of a failed interaction. */
export const interactionError = ({ code, message }: Refusal) => ({ code, message });
