import type { PlaygroundModel } from '../../../src/console/dashboard/playground-schema.ts';
import type { Settings } from './settings.ts';

/** Returns the settings without what the model cannot do. They come back with a model that can. */
export const fitting = (settings: Settings, model: PlaygroundModel | undefined): Settings => ({
  ...settings,
  effort: model?.capabilities.reasoning ? settings.effort : '',
  tools: model?.capabilities.tools === false ? '' : settings.tools,
});
