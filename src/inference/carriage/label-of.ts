import type { MeteredPrices } from '../../settings/catalog/metered-prices.ts';
import type { AnswerLabel } from '../../translation/contract/answer-label.ts';
import type { CarriedRequest } from './carried-request.ts';

/** Returns the names under which the client gets the answer. */
export const labelOf = ({
  id,
  request,
  entry: { model },
  estimate,
  services: { recapKey },
}: CarriedRequest): AnswerLabel => ({
  id,
  estimate,
  recapKey,
  echo: request.echo,
  model: request.model,
  vectorWidth: model.outputDimensions ?? undefined,
  ...(model.meteredUsd && { metersSound: isBilledBySecond(model.meteredUsd) }),
});

const isBilledBySecond = ({ perSecond, perMillionCharacters }: MeteredPrices): boolean =>
  perSecond !== null && perMillionCharacters === null;
