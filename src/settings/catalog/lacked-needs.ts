import { keysOf } from '../../base/lib/records.ts';
import type { Need } from '../../translation/canonical/need.ts';
import type { Model } from './model.ts';

/** Tests whether a model meets a need for every request. Unmet needs are reported in this order. */
const has: Readonly<Record<Need, (model: Model) => boolean>> = {
  vision: ({ capabilities }) => capabilities.vision,
  documents: ({ capabilities }) => capabilities.documents,
  'forced-tool-choice': ({ supportedParameters }) => supportedParameters.includes('forced_tool_choice'),
  tools: ({ capabilities }) => capabilities.tools,
  'strict-format': ({ supportedParameters }) => supportedParameters.includes('response_format'),
  effort: () => false, // depends on the requested effort
};

/** Returns the needs that a request must be checked for before the model receives it. */
export const lackedNeeds = (model: Model): readonly Need[] => keysOf(has).filter((need) => !has[need](model));
