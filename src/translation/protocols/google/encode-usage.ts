import type { Fields } from '../../../base/schema/json-type.ts';
import { inputTotal, type Usage } from '../../canonical/usage.ts';

/** Encodes usage. The prompt includes cached tokens, and thoughts are not part of the candidates. */
export function encodeUsage(usage: Usage | undefined): Fields {
  const prompt = usage ? inputTotal(usage) : 0;
  const { cacheRead = 0 } = usage?.input ?? {};
  const { visible, thinking = 0 } = usage?.output ?? { visible: 0 };
  return {
    promptTokenCount: prompt,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: visible,
    ...(thinking > 0 && { thoughtsTokenCount: thinking }),
    totalTokenCount: prompt + visible + thinking,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  };
}
