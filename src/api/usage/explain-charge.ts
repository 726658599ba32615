import { lookUp } from '../../base/lib/records.ts';
import type { Outcome, Receipt } from '../../money/ledger/entry.ts';
import { additionalWork } from './additional-work.ts';
import { meteredUnitOf } from './metered-unit-of.ts';
import { shortfallReasons } from './shortfall-reasons.ts';

const outcomes: Readonly<Record<Outcome, string>> = {
  complete: 'The answer was complete.',
  left: 'The client disconnected or stopped reading before the answer ended. The charge is for the output produced by then.',
  recovered:
    'The server ended before the answer did. The charge is for the output that had been recorded by then.',
  failed:
    'The answer ended with an error that the request caused. The charge is for the output delivered by then.',
};

/** The sentence for receipts of earlier versions, which do not name the bound. */
const UNKNOWN_BOUND = "A balance or the key's cap did not cover the list cost, and the rest is not charged.";

/** Explains the charge of a request. */
export function explainCharge(receipt: Receipt, shortfallMicrocredits: number): string {
  const { model, servedModel, shortfall, beyondCapMicrocredits = 0 } = receipt;
  const sentences = [
    receipt.isSimulated && 'The simulator answered in place of the model, so the answer is free.',
    outcomes[receipt.outcome],
    countSentence(receipt),
    additionalWorkSentence(receipt),
    receipt.priceRow !== undefined && `The prices are those of the row ${receipt.priceRow}.`,
    factorSentence(receipt),
    servedModel !== model &&
      `${servedModel} answered instead of ${model}. The cheaper rates of the two apply.`,
    shortfallMicrocredits > 0 && (shortfall ? shortfallReasons[shortfall.bound].sentence : UNKNOWN_BOUND),
    beyondCapMicrocredits > 0 &&
      "The key's monthly cap was reached. The cap limits only the key; monthly credits pay the list cost in full.",
  ];
  return sentences.filter((sentence) => sentence).join(' ');
}

/** Names the work whose tokens the upstream counts apart from the answer's own. */
function additionalWorkSentence({ detail }: Receipt): string | false {
  const kinds = new Set(detail?.lines.map(({ dimension, of }) => of && lookUp(additionalWork, dimension)));
  const names = [...kinds].filter((word) => word != null);
  return names.length > 0 && `The charge includes the tokens of ${names.join(' and ')}.`;
}

function factorSentence({ detail }: Receipt): string | false {
  const factors = detail?.factors.map(([dimension, factor]) => `${factor} (${dimension})`) ?? [];
  return factors.length > 0 && `The token prices are multiplied by ${factors.join(' and by ')}.`;
}

const isMetered = ({ detail }: Receipt): boolean =>
  detail?.lines.some((line) => meteredUnitOf(line) !== undefined) === true;

function countSentence(receipt: Receipt): string | false {
  const { isEstimated, isImplausible, tokens } = receipt;
  if (isImplausible)
    return 'The upstream reported more tokens than this request can use. The charge is for the most that it can use.';
  if (isMetered(receipt)) {
    if (isEstimated)
      return 'The charge is for what the request asked for, since its answer was not read to the end.';
    if (tokens.input + tokens.output === 0) return false;
  }
  return isEstimated
    ? 'The tokens are an estimate, because the upstream reported no usable count.'
    : 'The tokens are those that the upstream counted.';
}
