import type { Need } from '../../translation/canonical/need.ts';
import type { Model } from './model.ts';

/** Whether a model has what a need asks for, whatever a request says of it; in the order in which several that are not met are reported. */
const has: Readonly<Record<Need, (model: Model) => boolean>> = {
  vision: ({ capabilities }) => capabilities.vision,
  documents: ({ capabilities }) => capabilities.documents,
  'forced-tool-choice': ({ supportedParameters }) => supportedParameters.includes('forced_tool_choice'),
  tools: ({ capabilities }) => capabilities.tools,
  'strict-format': ({ supportedParameters }) => supportedParameters.includes('response_format'),
  effort: () => false, // it depends on which
};

/** What a request has to be looked through for before the model may have it. */
export const lackedNeeds = (model: Model): readonly Need[] =>
  (Object.keys(has) as Need[]).filter((need) => !has[need](model));
