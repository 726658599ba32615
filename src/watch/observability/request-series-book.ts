import { statusDigitOf } from '../../edge/http/status-class-of.ts';
import { RequestSeries } from './request-series.ts';

/**
 * The most combinations of provider, model, route and status. A further one counts under `other`, so that
 * sums stay right.
 */
const MAX_COMBINATIONS = 2_000;
const OTHER = 'other';

type ByStatus = (RequestSeries | undefined)[];

/**
 * Finds the series of a request without building a key: one map for each label, and the two latest series.
 */
export class RequestSeriesBook {
  readonly all: RequestSeries[] = [];
  readonly #byRoute = new Map<string, Map<string, Map<string, ByStatus>>>();
  /** The series of the latest two requests. Consecutive requests mostly share one. */
  #last: RequestSeries | undefined;
  #lastButOne: RequestSeries | undefined;

  /** Returns the series of a request. */
  of(provider: string, model: string, route: string, status: number): RequestSeries {
    const digit = statusDigitOf(status);
    const last = this.#last;
    if (last?.matches(provider, model, route, digit)) return last;
    const before = this.#lastButOne;
    const series = before?.matches(provider, model, route, digit)
      ? before
      : this.#find(provider, model, route, digit);
    this.#lastButOne = last;
    this.#last = series;
    return series;
  }

  #find(provider: string, model: string, route: string, digit: number): RequestSeries {
    const series = this.#byRoute.get(route)?.get(provider)?.get(model)?.[digit];
    if (series) return series;
    const isFull = this.all.length >= MAX_COMBINATIONS && model !== OTHER;
    return isFull ? this.#find(OTHER, OTHER, route, digit) : this.#add(provider, model, route, digit);
  }

  #add(provider: string, model: string, route: string, digit: number): RequestSeries {
    const series = new RequestSeries(provider, model, route, digit);
    const byProvider = this.#byRoute.getOrInsertComputed(route, () => new Map());
    const byModel = byProvider.getOrInsertComputed(provider, () => new Map());
    byModel.getOrInsertComputed(model, () => [])[digit] = series;
    this.all.push(series);
    return series;
  }
}
