import type { PlaygroundModel, PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { PlaygroundDialect } from './dialects.ts';
import type { Settings } from './settings.ts';

/** The properties of each section of the settings. */
export type SettingsSectionProps = {
  options: PlaygroundOptions;
  settings: Settings;
  /** It is undefined if the catalog has no such model. */
  model: PlaygroundModel | undefined;
  dialect: PlaygroundDialect;
  faults: { tools: string | undefined; schema: string | undefined };
  onChange: (change: Partial<Settings>) => void;
};
