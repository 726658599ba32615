import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { formatPath, type Path } from '../../base/schema/format-path.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import { type CallPrice, isCallPrice, type PriceName } from '../canonical/price-name.ts';
import type { ReservedField } from '../canonical/reserved-field.ts';
import type { DecideExtra } from './decide-extra.ts';
import type { MemberFinding } from './inspection.ts';
import { refuseReserved } from './refuse-reserved.ts';
import type { Reserved } from './reserved.ts';
import { type Withdrawal, withdrawTools } from './withdraw-tools.ts';

/** The extras and the reserved fields that a model and its providers may get. */
export type Consent = {
  /** The model's public name. */
  model: string;
  /** Decides whether the model's row prices the extra, or the operator lets it through without a price. */
  decide: DecideExtra;
  /** Reports whether any provider of the model may get the field. */
  mayReach(field: ReservedField): boolean;
};

/** The changes of a request that follow from its findings, and the prices that it may use. */
export type ResolvedFindings = {
  /** The paths to remove. */
  removed: Path[];
  losses: LossCode[];
  /** The extras that pass without being billed. */
  unbilled: Extra[];
  /** The prices that bill the other extras that pass. */
  priced: PriceName[];
  /** The calls that every answer makes. */
  certain: CallPrice[];
  reserved: Reserved[];
};

type Inspected = { body: JsonObject; findings: readonly MemberFinding[]; tools: number };

/** Decides what happens to each finding, or returns the refusal for the first one that cannot be served. */
export function resolveFindings(inspected: Inspected, consent: Consent): ResolvedFindings | Refusal {
  const { findings, body, tools } = inspected;
  const hosted = findings.filter((finding) => finding.kind === 'tool');
  const unserved = hosted.filter((tool) => consent.decide(tool) === 'refused');
  const withdrawal = withdrawTools({ body, unserved, tools });
  const outcomes: Outcome[] = [];
  for (const finding of findings) {
    const outcome = outcomeOf(finding, consent, withdrawal);
    if (outcome instanceof Refusal) return outcome;
    outcomes.push(outcome);
  }
  const withdrawn = 'removed' in withdrawal ? withdrawal.removed : [];
  return {
    removed: [...outcomes.flatMap(({ removed = [] }) => removed), ...withdrawn],
    losses: outcomes.flatMap(({ losses = [] }) => losses),
    unbilled: outcomes.flatMap(({ unbilled = [] }) => unbilled),
    priced: outcomes.flatMap(({ priced = [] }) => priced),
    certain: outcomes.flatMap(({ certain = [] }) => certain),
    reserved: outcomes.flatMap(({ reserved = [] }) => reserved),
  };
}

/** The part of the result that comes from one finding. */
type Outcome = Partial<ResolvedFindings>;

function outcomeOf(finding: MemberFinding, consent: Consent, withdrawal: Withdrawal): Outcome | Refusal {
  switch (finding.kind) {
    case 'foreign':
      return { removed: [finding.path] };
    case 'address':
      return refuse('invalid_request', finding.path, finding.problem);
    case 'reserved':
      return consent.mayReach(finding.field) ? { reserved: [finding] } : refuseReserved(finding);
    default:
      return outcomeOfExtra(finding, consent, withdrawal);
  }
}

type ExtraFinding = Extract<MemberFinding, { price: unknown }>;

function outcomeOfExtra(finding: ExtraFinding, consent: Consent, withdrawal: Withdrawal): Outcome | Refusal {
  switch (consent.decide(finding)) {
    case 'billed':
      return billedOutcome(finding);
    case 'unbilled':
      return { unbilled: [finding.extra] };
    case 'refused':
      return refusedOutcome(finding, consent, withdrawal);
  }
}

function billedOutcome({ kind, price }: ExtraFinding): Outcome {
  if (price === undefined) return {};
  return kind === 'requirement' && isCallPrice(price)
    ? { priced: [price], certain: [price] }
    : { priced: [price] };
}

function refusedOutcome(finding: ExtraFinding, consent: Consent, withdrawal: Withdrawal): Outcome | Refusal {
  switch (finding.kind) {
    case 'requirement':
      return refusePrice(finding, consent);
    case 'preference':
      return { losses: [finding.loss], removed: [finding.path] };
    case 'tool':
      return 'problem' in withdrawal ? refuseTool(withdrawal, consent) : { losses: [finding.loss] };
  }
}

function refuse(code: 'invalid_request' | 'route_not_qualified', path: Path, problem: string): Refusal {
  const param = formatPath(path);
  return new Refusal(code, { param, message: `${param}: ${problem}` });
}

function refusePrice({ path, price }: ExtraFinding, { model }: Consent): Refusal {
  const name = price === undefined ? '' : ` (${price})`;
  return refuse('route_not_qualified', path, `${model} has no price for this feature on this gateway${name}`);
}

const refuseTool = ({ path, problem }: { path: Path; problem: string }, { model }: Consent): Refusal =>
  refuse('route_not_qualified', path, `${problem}, for which ${model} has no price on this gateway`);
