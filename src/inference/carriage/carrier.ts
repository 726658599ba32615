import { Refusal } from '../../base/errors/refusal.ts';
import { isLong } from '../../base/json/json-body.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { COMPACTION, joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { ResponseHead } from '../../translation/contract/response-head.ts';
import { refusedOfText } from '../../translation/fitting/drop-refused.ts';
import { hasStops } from '../../translation/fitting/has-stops.ts';
import { tierIn, tierWord } from '../../translation/fitting/service-tier-words.ts';
import { type CarriedRequest, isStrict } from './carried-request.ts';
import { chooseWire, type WireChoice } from './choose-wire.ts';
import { passOn } from './pass-on.ts';
import { refuseTarget } from './refuse-target.ts';
import { forgetLosses } from './report-losses.ts';
import { decodeHead, translateRequest } from './translate-request.ts';

/** The ways in which a request may be carried. */
export type CarriageWay = {
  /** Restricts the carriages to one of the two kinds. */
  only?: 'same-wire' | 'translated' | undefined;
  /** The creation time of the answer in Unix seconds. The default is the current time. */
  createdAt?: number;
};

const EITHER: CarriageWay = {};

/** Builds the carriages of one request to its targets: on the same wire, or translated. */
export class Carrier {
  readonly #carried: CarriedRequest;
  readonly #way: CarriageWay;
  /** The decoded request, which all targets share. */
  #head: ResponseHead | Refusal | undefined;

  constructor(carried: CarriedRequest, way = EITHER) {
    this.#carried = carried;
    this.#way = way;
  }

  /**
   * Builds the carriage for a target, without the members that the target has just refused under the word
   * `without`. A long request gives other requests a turn before it is decoded and before it is encoded.
   */
  carriageTo(target: Target, without?: string): MaybeLater<Carriage | Refusal> {
    return isLong(this.#carried.request.body)
      ? this.#carriageInTurns(target, without)
      : this.carriageAtOnce(target, without);
  }

  carriageAtOnce(candidate: Target, without?: string): Carriage | Refusal {
    const carried = this.#carried;
    const { only } = this.#way;
    const target = withRefused(carried, candidate, without);
    forgetLosses(carried.exchange);
    const refusal = refuseTarget(carried, target);
    if (refusal) return refusal;
    const choice = this.#choiceFor(target);
    if (choice.way === 'own') return passOn(carried, target);
    if (choice.way === 'other-form') return passOn(carried, target, choice.wire);
    if (only === 'same-wire') return new Refusal('route_not_qualified');
    const head = this.#decoded();
    if (head instanceof Refusal) return head;
    return choice.way === 'none'
      ? new Refusal('route_not_qualified', { param: 'model' })
      : translateRequest(carried, head, { target, ...choice });
  }

  /**
   * Returns the word under which a `refuses` list would leave out the members that the word names. Returns
   * undefined if the request does not have them, or insists on them.
   */
  droppableWord(word: string): string | undefined {
    if (word === COMPACTION) return this.#carried.dialect.goesToOwnEndpoint ? word : undefined;
    if (isStrict(this.#carried)) return undefined;
    const { body } = this.#carried.request;
    if (word === 'stop') return hasStops(body.value) ? word : undefined;
    const exact = word === 'service_tier' ? tierWord(tierIn(body.value)) : word;
    if (exact === undefined) return undefined;
    if (refusedOfText(body, new Set([exact])).words.length > 0) return exact;
    return word === 'thinking_budget' && this.#thinks() ? word : undefined;
  }

  async #carriageInTurns(target: Target, without: string | undefined): Promise<Carriage | Refusal> {
    const { yieldQueue } = this.#carried.services;
    await yieldQueue.next();
    if (this.#isTranslated(withRefused(this.#carried, target, without))) {
      this.#decoded();
      await yieldQueue.next();
    }
    return this.carriageAtOnce(target, without);
  }

  #isTranslated(target: Target): boolean {
    if (this.#way.only === 'same-wire' || refuseTarget(this.#carried, target)) return false;
    const { way } = this.#choiceFor(target);
    return way !== 'own' && way !== 'other-form';
  }

  #choiceFor(target: Target): WireChoice {
    return chooseWire(this.#carried, target, this.#way.only !== 'translated');
  }

  #decoded(): ResponseHead | Refusal {
    this.#head ??= decodeHead(this.#carried, this.#way.createdAt);
    return this.#head;
  }

  /** Reports whether the request asks for thinking, from which a translation may have computed a budget. */
  #thinks(): boolean {
    const head = this.#decoded();
    return !(head instanceof Refusal) && head.request.thinking !== undefined;
  }
}

/**
 * Returns the target with what it was found to refuse. A strict request is sent as it is, whatever was
 * learned.
 */
function withRefused(carried: CarriedRequest, target: Target, without: string | undefined): Target {
  const known = carried.learned ? carried.learned.of(target) : target.refuses;
  const applied = known !== target.refuses && isStrict(carried) ? target.refuses : known;
  const refuses = without === undefined ? applied : joinRefused([[...(applied ?? [])], [without]]);
  return refuses === target.refuses ? target : { ...target, refuses };
}
