import type { Stop, StreamEvent } from './event.ts';
import { type StopPattern, StopSearch, stopPattern } from './stop-search.ts';

/**
 * Ends an answer at the client's stop sequences, for wires without such a field and for hosts that ignore it.
 * Further upstream output is read for its usage and not shown. Only text is searched, not thinking and calls.
 * `ambiguousStop`: see WireCodec.
 */
export function endAtStops(
  stopSequences: readonly string[] | undefined,
  ambiguousStop?: string,
): (event: StreamEvent) => StreamEvent[] {
  const stops = stopSequences?.filter((stop) => stop !== '') ?? [];
  if (stops.length === 0) return (event) => [event];
  const filter = new StopFilter(stops, ambiguousStop);
  return (event) => filter.pass(event);
}

class StopFilter {
  readonly #stops: readonly string[];
  readonly #ambiguousStop: string | undefined;
  readonly #patterns: readonly StopPattern[];
  /** The searches in the texts of parts, by their indexes. */
  readonly #texts = new Map<number, StopSearch>();
  /** Parts that began before the stop. */
  readonly #open = new Set<number>();
  /** The end of the answer, once a stop was found. */
  #foundStop: Stop | undefined;

  constructor(stops: readonly string[], ambiguousStop: string | undefined) {
    this.#stops = stops;
    this.#patterns = stops.map(stopPattern);
    this.#ambiguousStop = ambiguousStop;
  }

  pass(event: StreamEvent): StreamEvent[] {
    switch (event.type) {
      case 'part-start':
        return this.#start(event);
      case 'part-delta':
        return this.#grow(event);
      case 'part-end':
        return this.#end(event);
      case 'response-end':
        return [{ ...event, stop: this.#foundStop ?? this.#reasonOf(event.stop) }];
      case 'response-error':
        return this.#foundStop ? [{ type: 'response-end', stop: this.#foundStop }] : [event];
      default:
        return [event];
    }
  }

  #start(event: StreamEvent & { type: 'part-start' }): StreamEvent[] {
    if (this.#foundStop) return [];
    this.#open.add(event.index);
    if (event.part.kind === 'text') this.#texts.set(event.index, new StopSearch(this.#patterns));
    return [event];
  }

  #grow(event: StreamEvent & { type: 'part-delta' }): StreamEvent[] {
    const { index, delta } = event;
    if (!this.#open.has(index)) return [];
    const search = this.#texts.get(index);
    if (search === undefined || delta.kind !== 'text') return [event];
    if (this.#foundStop) return [];
    const { text, stop } = search.add(delta.text);
    const shown = textDelta(index, text);
    if (stop === undefined) return shown;
    this.#foundStop = { kind: 'stop-sequence', sequence: stop };
    this.#open.delete(index);
    return [...shown, { type: 'part-end', index }];
  }

  #end(event: StreamEvent & { type: 'part-end' }): StreamEvent[] {
    if (!this.#open.delete(event.index)) return [];
    const text = this.#foundStop ? '' : (this.#texts.get(event.index)?.release() ?? '');
    return [...textDelta(event.index, text), event];
  }

  /**
   * Returns the reason of the end. Upstreams that find a stop do not always name it; with a single stop there
   * is no doubt. Some upstreams use one word for a stop and for the model's own end. It then counts as the
   * stop, because agents wait for the stop that they set.
   */
  #reasonOf(stop: Stop): Stop {
    const isAmbiguous =
      stop.kind === 'end-turn' && this.#ambiguousStop !== undefined && stop.raw === this.#ambiguousStop;
    if (stop.kind !== 'stop-sequence' && !isAmbiguous) return stop;
    const sequence = stop.sequence ?? (this.#stops.length === 1 ? this.#stops[0] : undefined);
    return { ...stop, kind: 'stop-sequence', ...(sequence !== undefined && { sequence }) };
  }
}

const textDelta = (index: number, text: string): StreamEvent[] =>
  text === '' ? [] : [{ type: 'part-delta', index, delta: { kind: 'text', text } }];
